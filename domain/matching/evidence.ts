import type { FaceId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/json.js';
import type { Link } from './assignment.js';
import type { CoOccurrence } from './co-occurrence.js';
import { at, type Matrix } from './matrix.js';
import { scoreOf } from './presence.js';
import { totalSeconds } from './spans.js';
import type { Timeline } from './timeline.js';

/** To three decimals, a negative zero made positive. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

const runnerUp = (accuracies: Matrix, { row, column }: Link): Link | null => {
  const others = Array.from({ length: accuracies.columns }, (_, other) => ({ row, column: other }));
  return others
    .filter((other) => other.column !== column && at(accuracies, other.row, other.column) > 0)
    .reduce<Link | null>((best, other) => {
      const better = best === null || at(accuracies, row, other.column) > at(accuracies, row, best.column);
      return better ? other : best;
    }, null);
};

/** What a match rests on: seconds, the mean talking score while the speaker speaks, and the next best face. */
export const evidenceOf = (
  link: Link,
  timeline: Timeline,
  { counts, accuracies }: CoOccurrence,
  faces: readonly { readonly face_id: FaceId }[],
): { readonly accuracy: number; readonly evidence: JsonObject } => {
  const { row, column } = link;
  const together = at(counts.together, row, column);
  const presence = timeline.presences[column];
  const next = runnerUp(accuracies, link);
  const face = next === null ? undefined : faces[next.column];
  return {
    accuracy: rounded(at(accuracies, row, column)),
    evidence: {
      seconds_together: rounded(together),
      seconds_speaking: rounded(timeline.speaking[row] ?? 0),
      seconds_visible: rounded(totalSeconds(presence?.visible ?? [])),
      talking_agreement:
        presence?.scored === true && together > 0 ? rounded(scoreOf(at(counts.talking, row, column) / together)) : null,
      runner_up:
        next === null || face === undefined
          ? null
          : { face_id: face.face_id, accuracy: rounded(at(accuracies, row, next.column)) },
    },
  };
};
