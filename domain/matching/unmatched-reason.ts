import type { CoOccurrence } from './co-occurrence.js';
import { at } from './matrix.js';
import type { Timeline } from './timeline.js';

/**
 * Why a speaker got no face. `too_little_speech`: there is less than a second of speech to go by. `ambiguous`: a face
 * of theirs is likely seen, but it cannot be told which, or a better pair took it. `off_screen`: likely never seen.
 */
export type UnmatchedReason = 'off_screen' | 'ambiguous' | 'too_little_speech';

const enoughSpeech = 1;

export const unmatchedReason = (row: number, timeline: Timeline, found: CoOccurrence): UnmatchedReason => {
  if ((timeline.speaking[row] ?? 0) < enoughSpeech) return 'too_little_speech';
  const { accuracies } = found;
  const anyFace = Array.from({ length: accuracies.columns }, (_, column) => at(accuracies, row, column));
  return anyFace.reduce((sum, accuracy) => sum + accuracy, 0) >= 0.5 ? 'ambiguous' : 'off_screen';
};
