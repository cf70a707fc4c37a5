import { type CoPresence, leastTogether, talkingAgreement } from './co-presence.js';
import { at, columnSums, type Matrix, add, zeros } from './matrix.js';
import { runningTotal } from './running-total.js';
import { shareLogOdds, speechCredit } from './speech-credit.js';
import { covered, totalSeconds, forEachOverlap, sharedSeconds } from './stretches.js';
import type { Timeline } from './timeline.js';
import { type Spans, spansOf, widened } from './spans.js';

/** Seconds around turns and tracks in which the speech of others counts as the same conversation. */
const conversationReach = 3;

/**
 * Seconds in which others speak within conversationReach of both the speaker's turns and the face's tracks. A pair that is
 * together all the same, in the midst of a conversation, is more surely a pair than one in a monologue.
 * Everything is put on the clock `spoken`, which only runs while anybody speaks: on it, what two stretches share is
 * speech.
 */
export const conversationOf = (
  { turns, tracks, presences, speaking }: Timeline,
  spoken: (time: number) => number,
): Matrix => {
  const seconds = zeros(speaking.length, presences.length);
  const onClock = ({ starts, ends, owners }: Spans): Spans => ({
    starts: starts.map(spoken),
    ends: ends.map(spoken),
    owners,
  });
  const sight = onClock(widened(tracks, conversationReach));
  const addShared = (heard: Spans, sign: 1 | -1): void =>
    forEachOverlap(heard, sight, (turn, track) => {
      const shared = sharedSeconds(heard, turn, sight, track);
      add(seconds, heard.owners[turn] ?? 0, sight.owners[track] ?? 0, sign * shared);
    });
  addShared(onClock(widened(turns, conversationReach)), 1);
  addShared(onClock(turns), -1);
  return seconds;
};

/** Seconds between two ends that still are one, no multiple of the offsets that are tried: editors cut a little after the last word. */
const endTolerance = 0.69;

/** Everybody's last moments, as stretches without length. */
const endsOf = (owned: readonly { readonly ends: Float64Array }[]): Spans =>
  spansOf(owned.map(({ ends }) => ({ starts: ends, ends })));

/**
 * In how many tracks of each face the picture leaves it as a turn of each speaker ends: editors stay with a person to
 * the last word.
 */
export const endsTogether = ({ heard, presences }: Timeline): Matrix => {
  const count = zeros(heard.length, presences.length);
  const tracks = endsOf(presences.map(({ visible }) => visible));
  const turns = widened(endsOf(heard), endTolerance);
  forEachOverlap(tracks, turns, (track, turn) => add(count, turns.owners[turn] ?? 0, tracks.owners[track] ?? 0, 1));
  return count;
};

/** What speaks for or against one pair; logarithms are natural, of numbers or seconds with a half added. */
export interface PairFeatures {
  /** The logarithm of the odds that speech credited to the face is this speaker's. */
  readonly creditOfFace: number;
  readonly speaking: number;
  readonly turnsSeen: number;
  readonly tracksHeard: number;
  readonly conversation: number;
  /** The logarithm of how many tracks of the face the speaker is heard in. */
  readonly tracksWithSpeaker: number;
  /** The logarithm of how many of them somebody is heard in, but not the speaker. */
  readonly tracksWithOthers: number;
  /** The share of the face's tracks that end as a turn of the speaker does. */
  readonly endTogether: number;
  /** The seconds that others speak while the face is seen, as a share of the seconds that it is seen. */
  readonly othersHeard: number;
  /**
   * How far the face is seen to talk while the speaker speaks at all: the seconds in which it does, as a share of the least
   * that a pair must be together; 0 for faces without talking scores.
   */
  readonly seenToTalk: number;
  /** The logarithm of how many faces there are to choose from, and so to be wrong about. */
  readonly faces: number;
}

export type FeaturesOfPair = (speaker: number, face: number) => PairFeatures;

const log = (amount: number): number => Math.log(Math.max(0, amount) + 0.5);

const seenToTalk = (timeline: Timeline, counts: CoPresence, speaker: number, face: number): number => {
  const agreement = talkingAgreement(timeline, counts, speaker, face) ?? 0;
  return Math.min(1, Math.max(0, at(counts.together, speaker, face) * agreement) / leastTogether);
};

/** The features of every pair; `possible` is 1 for pairs that may belong together and 0 for the others. */
export const featuresOf = (timeline: Timeline, counts: CoPresence, possible: Matrix): FeaturesOfPair => {
  const ofFace = shareLogOdds(speechCredit(timeline, counts.facesIn, possible));
  const conversation = conversationOf(
    timeline,
    runningTotal(covered(timeline.turns), () => 1),
  );
  const ends = endsTogether(timeline);
  const visible = timeline.presences.map((presence) => totalSeconds(presence.visible));
  const heard = columnSums(counts.together);
  const faces = Math.log(Math.max(1, timeline.presences.length));
  return (speaker, face) => ({
    creditOfFace: at(ofFace, speaker, face),
    speaking: log(timeline.speaking[speaker] ?? 0),
    turnsSeen: log(at(counts.turnsSeen, speaker, face)),
    tracksHeard: log(at(counts.tracksHeard, speaker, face)),
    conversation: log(at(conversation, speaker, face)),
    tracksWithSpeaker: log(at(counts.tracksWithSpeaker, speaker, face)),
    tracksWithOthers: log(at(counts.tracksWithOthers, speaker, face)),
    endTogether: at(ends, speaker, face) / Math.max(1, timeline.presences[face]?.visible.starts.length ?? 0),
    othersHeard: ((heard[face] ?? 0) - at(counts.together, speaker, face)) / (visible[face] ?? 1),
    seenToTalk: seenToTalk(timeline, counts, speaker, face),
    faces,
  });
};
