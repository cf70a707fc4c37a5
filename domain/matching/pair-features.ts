import { type CoPresence, leastTogether } from './co-presence.js';
import { conversationOf } from './conversation.js';
import { endsTogether } from './ends-together.js';
import { at, columnSums, type Matrix } from './matrix.js';
import { runningTotal } from './running-total.js';
import { shareLogOdds, speechCredit } from './speech-credit.js';
import { covered, totalSeconds } from './stretches.js';
import { talkingAgreement } from './talking-agreement.js';
import type { Timeline } from './timeline.js';

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
