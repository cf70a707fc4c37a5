import type { CoPresence } from './co-presence.js';
import { conversationOf } from './conversation.js';
import { at, type Matrix } from './matrix.js';
import { runningTotal } from './running-total.js';
import { silentlySeenIn } from './silently-seen.js';
import { shareLogOdds, speechCredit } from './speech-credit.js';
import { covered } from './stretches.js';
import type { Timeline } from './timeline.js';

/** What speaks for or against one pair; natural logarithms of odds, or of seconds with half a second added. */
export interface PairFeatures {
  /** Odds that credited speech of the speaker is credited to this face. */
  readonly creditOfSpeech: number;
  /** Odds that speech credited to the face is this speaker's. */
  readonly creditOfFace: number;
  readonly speaking: number;
  readonly turnsSeen: number;
  readonly tracksHeard: number;
  readonly conversation: number;
  /** The longest stretch in which the face is seen and the speaker heard without a break. */
  readonly longestTogether: number;
  /** How long the face is seen while nobody speaks. */
  readonly silentlySeen: number;
  /** How many faces there are to choose from, and so to be wrong about. */
  readonly faces: number;
}

export type FeaturesOfPair = (speaker: number, face: number) => PairFeatures;

const log = (seconds: number): number => Math.log(Math.max(0, seconds) + 0.5);

/** The features of every pair; `possible` is 1 for pairs that may belong together and 0 for the others. */
export const featuresOf = (timeline: Timeline, counts: CoPresence, possible: Matrix): FeaturesOfPair => {
  const { ofSpeech, ofFace } = shareLogOdds(speechCredit(timeline, counts.facesIn, possible));
  const spoken = runningTotal(covered(timeline.turns), () => 1);
  const conversation = conversationOf(timeline, spoken);
  const silentlySeen = silentlySeenIn(timeline, spoken);
  const faces = Math.log(Math.max(1, timeline.presences.length));
  return (speaker, face) => ({
    creditOfSpeech: at(ofSpeech, speaker, face),
    creditOfFace: at(ofFace, speaker, face),
    speaking: log(timeline.speaking[speaker] ?? 0),
    turnsSeen: log(at(counts.turnsSeen, speaker, face)),
    tracksHeard: log(at(counts.tracksHeard, speaker, face)),
    conversation: log(at(conversation, speaker, face)),
    longestTogether: log(at(counts.longestTogether, speaker, face)),
    silentlySeen: log(silentlySeen[face] ?? 0),
    faces,
  });
};
