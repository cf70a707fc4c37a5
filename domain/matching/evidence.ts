import type { FaceId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/json.js';
import type { Link } from './assignment.js';
import { at, type Matrix } from './matrix.js';
import { totalSeconds } from './stretches.js';
import type { Synchronised } from './synchronised.js';
import { talkingAgreement } from './talking-agreement.js';

/** To three decimals, a negative zero made positive. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

const runnerUp = (accuracies: Matrix, { row, column }: Link): Link | null => {
  let best = -1;
  for (let other = 0; other < accuracies.columns; other += 1)
    if (other !== column && at(accuracies, row, other) > (best < 0 ? 0 : at(accuracies, row, best))) best = other;
  return best < 0 ? null : { row, column: best };
};

/** What a match rests on: seconds, the mean talking score while the speaker speaks, and the next best face. */
export const evidenceOf = (
  link: Link,
  { timeline, found: { counts, accuracies }, offset }: Synchronised,
  faces: readonly { readonly face_id: FaceId }[],
): { readonly accuracy: number; readonly evidence: JsonObject } => {
  const { row, column } = link;
  const together = at(counts.together, row, column);
  const presence = timeline.presences[column];
  const agreement = talkingAgreement(timeline, counts, row, column);
  const next = runnerUp(accuracies, link);
  const face = next === null ? undefined : faces[next.column];
  return {
    accuracy: rounded(at(accuracies, row, column)),
    evidence: {
      seconds_together: rounded(together),
      seconds_apart: rounded((timeline.speaking[row] ?? 0) - together),
      seconds_speaking: rounded(timeline.speaking[row] ?? 0),
      seconds_visible: rounded(presence === undefined ? 0 : totalSeconds(presence.visible)),
      talking_agreement: agreement === null ? null : rounded(agreement),
      time_offset: offset,
      runner_up:
        next === null || face === undefined
          ? null
          : { face_id: face.face_id, accuracy: rounded(at(accuracies, row, next.column)) },
    },
  };
};
