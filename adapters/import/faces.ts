import type { ImportedFace, Stretch } from './imported.js';
import { byTime, scored, totalSeconds } from './stretches.js';

/** What a file says of one face, before it has a number. */
export interface FaceParts {
  /** Tells faces of one file apart. */
  readonly key: string;
  /** The number that the file gives it, if it does. */
  readonly id?: number;
  /** A person's real name, if the file knows it. */
  readonly name?: string | null;
  readonly visible: Stretch[];
  readonly audible: Stretch[];
}

const firstSeen = ({ visible }: FaceParts): number =>
  visible.reduce((earliest, { start }) => Math.min(earliest, start), Infinity);

/**
 * Numbers faces from 0 in order of their first appearance; of those that appear together, by key. Where the file
 * numbers them all, they keep its numbers.
 */
export const toFaces = (parts: ReadonlyArray<FaceParts>): { faces: ReadonlyArray<ImportedFace>; seconds: number } => {
  const ordered = parts
    .map((part) => ({ part, first: firstSeen(part) }))
    .sort((a, b) => a.first - b.first || (a.part.key < b.part.key ? -1 : 1));
  const numbered = parts.every(({ id }) => id !== undefined);
  return {
    faces: ordered.map(({ part: { visible, audible, id, name = null } }, index) => ({
      id: (numbered ? id : index) ?? index,
      name,
      tracks: visible.toSorted(byTime),
      talking: scored(visible, audible),
    })),
    seconds: totalSeconds(parts.flatMap(({ visible }) => visible)),
  };
};
