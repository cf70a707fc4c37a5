import type { CoPresence } from './co-presence.js';
import { at } from './matrix.js';
import { scoreOf } from './presence.js';
import type { Timeline } from './timeline.js';

/**
 * The mean talking score of a face while the speaker speaks and it is seen, in [0, 1]; null without scores or such
 * seconds. A score is linear in the weight that it gives a second, so that sums of weights tell sums of scores.
 */
export const talkingAgreement = (
  { presences }: Timeline,
  counts: CoPresence,
  speaker: number,
  face: number,
): number | null => {
  const together = at(counts.together, speaker, face);
  if (presences[face]?.scored !== true || together <= 0) return null;
  return scoreOf(at(counts.talking, speaker, face) / together);
};
