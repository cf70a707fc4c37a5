import { type CoPresence, minSecondsTogether, talkingAgreement } from './co-presence.js';
import { at, columnSums, type Matrix, add, zeros } from './matrix.js';
import { runningTotal } from './running-total.js';
import { shareLogOdds, speechCredit } from './speech-credit.js';
import { covered, totalSeconds, forEachOverlap, sharedSeconds } from './stretches.js';
import type { Timeline } from './timeline.js';
import { type Spans, spansOf, widened } from './spans.js';

/** Speech of others within this many seconds of turns and tracks counts as the same conversation. */
const conversationReach = 3;

/**
 * Seconds in which others speak near both the speaker's turns and the face's tracks. A pair that is together in a
 * conversation is more reliable than one in a monologue. Times are mapped to the clock `spoken`, which runs only while
 * anybody speaks, so that overlaps measure speech.
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

/**
 * Two ends within this many seconds count as simultaneous: editors cut slightly after the last word. Not a multiple of
 * the tested offsets.
 */
const endTolerance = 0.69;

/** The ends of all intervals, as intervals of zero length. */
const endsOf = (owned: readonly { readonly ends: Float64Array }[]): Spans =>
  spansOf(owned.map(({ ends }) => ({ starts: ends, ends })));

/**
 * Number of tracks of each face that end together with a turn of each speaker: editors stay with a person until the
 * last word.
 */
export const endsTogether = ({ heard, presences }: Timeline): Matrix => {
  const count = zeros(heard.length, presences.length);
  const tracks = endsOf(presences.map(({ visible }) => visible));
  const turns = widened(endsOf(heard), endTolerance);
  forEachOverlap(tracks, turns, (track, turn) => add(count, turns.owners[turn] ?? 0, tracks.owners[track] ?? 0, 1));
  return count;
};

/** Features of one pair. Logarithms are natural, of counts or seconds plus 0.5. */
export interface PairFeatures {
  /** Log odds that speech credited to the face is this speaker's. */
  readonly creditOfFace: number;
  readonly speaking: number;
  readonly turnsSeen: number;
  readonly tracksHeard: number;
  readonly conversation: number;
  /** Logarithm of the number of the face's tracks in which the speaker is heard. */
  readonly tracksWithSpeaker: number;
  /** Logarithm of the number of the face's tracks in which only others are heard. */
  readonly tracksWithOthers: number;
  /** Share of the face's tracks that end together with a turn of the speaker. */
  readonly endTogether: number;
  /** Seconds in which others speak while the face is visible, as a share of its visible seconds. */
  readonly othersHeard: number;
  /**
   * How much the face talks while the speaker speaks: seconds relative to the minimum that a pair must be together, at
   * most 1; 0 for faces without talking scores.
   */
  readonly seenToTalk: number;
  /** Logarithm of the number of faces to choose from. */
  readonly faces: number;
  /**
   * Logarithms of the seconds in which the face is visible, and of the mean length of its tracks; 0 for faces with
   * talking scores, whose links they do not improve.
   */
  readonly visible: number;
  readonly trackLength: number;
}

export type FeaturesOfPair = (speaker: number, face: number) => PairFeatures;

const noLengths = { visible: 0, trackLength: 0 };

const log = (amount: number): number => Math.log(Math.max(0, amount) + 0.5);

const seenToTalk = (timeline: Timeline, counts: CoPresence, speaker: number, face: number): number => {
  const agreement = talkingAgreement(timeline, counts, speaker, face) ?? 0;
  return Math.min(1, Math.max(0, at(counts.together, speaker, face) * agreement) / minSecondsTogether);
};

/** The features of every pair. `possible` is 1 for allowed pairs, else 0. */
export const featuresOf = (timeline: Timeline, counts: CoPresence, possible: Matrix): FeaturesOfPair => {
  const ofFace = shareLogOdds(speechCredit(timeline, counts.facesIn, possible));
  const conversation = conversationOf(
    timeline,
    runningTotal(covered(timeline.turns), () => 1),
  );
  const ends = endsTogether(timeline);
  const visible = timeline.presences.map((presence) => totalSeconds(presence.visible));
  const heard = columnSums(counts.together);
  const tracksOf = (face: number): number => Math.max(1, timeline.presences[face]?.visible.starts.length ?? 0);
  const faces = Math.log(Math.max(1, timeline.presences.length));
  const lengthsOf = (face: number) => ({
    visible: log(visible[face] ?? 0),
    trackLength: log((visible[face] ?? 0) / tracksOf(face)),
  });
  return (speaker, face) => ({
    creditOfFace: at(ofFace, speaker, face),
    speaking: log(timeline.speaking[speaker] ?? 0),
    turnsSeen: log(at(counts.turnsSeen, speaker, face)),
    tracksHeard: log(at(counts.tracksHeard, speaker, face)),
    conversation: log(at(conversation, speaker, face)),
    tracksWithSpeaker: log(at(counts.tracksWithSpeaker, speaker, face)),
    tracksWithOthers: log(at(counts.tracksWithOthers, speaker, face)),
    endTogether: at(ends, speaker, face) / tracksOf(face),
    othersHeard: ((heard[face] ?? 0) - at(counts.together, speaker, face)) / (visible[face] ?? 1),
    seenToTalk: seenToTalk(timeline, counts, speaker, face),
    faces,
    ...(timeline.presences[face]?.scored === true ? noLengths : lengthsOf(face)),
  });
};
