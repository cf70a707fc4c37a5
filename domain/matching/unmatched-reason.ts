import type { CoOccurrence } from './co-occurrence.js';
import { rowSums } from './matrix.js';
import type { Timeline } from './timeline.js';

/**
 * Why a speaker got no face. `too_little_speech`: there is less than a second of speech to go by. `ambiguous`: the
 * chance that one of the faces is theirs is a fourth at least, but no face is likely enough, or a better pair took
 * it. `off_screen`: likely never seen.
 */
export type UnmatchedReason = 'off_screen' | 'ambiguous' | 'too_little_speech';

const enoughSpeech = 1;
const fairChance = 0.25;

export const unmatchedReason = (row: number, timeline: Timeline, { accuracies }: CoOccurrence): UnmatchedReason => {
  if ((timeline.speaking[row] ?? 0) < enoughSpeech) return 'too_little_speech';
  return (rowSums(accuracies)[row] ?? 0) >= fairChance ? 'ambiguous' : 'off_screen';
};
