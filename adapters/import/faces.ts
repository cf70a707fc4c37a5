import type { ImportedFace, Interval } from './imported.js';
import { byTime, talkingScores, totalSeconds } from './intervals.js';

/** One face of a file, before it is numbered. */
export interface FaceParts {
  /** Identifies the face in the file. */
  readonly key: string;
  /** The number of the face in the file, if it has one. */
  readonly id?: number;
  /** A person's real name, if the file has it. */
  readonly name?: string | null;
  readonly visible: Interval[];
  readonly audible: Interval[];
}

const firstSeen = ({ visible }: FaceParts): number =>
  visible.reduce((earliest, { start }) => Math.min(earliest, start), Infinity);

/**
 * Numbers faces from 0 by first appearance, then by key. If the file numbers all faces, its numbers are kept.
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
      talking: talkingScores(visible, audible),
    })),
    seconds: totalSeconds(parts.flatMap(({ visible }) => visible)),
  };
};
