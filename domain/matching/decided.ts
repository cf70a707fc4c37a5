import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Link } from './assignment.js';
import { type Matrix, tabulate } from './matrix.js';

interface Pair {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/** People's decisions about a video's links. They are facts from which the odds of the other pairs follow. */
export interface Decided {
  readonly confirmed: readonly Pair[];
  /** Speakers that are not visible. */
  readonly unseen: readonly SpeakerId[];
  readonly rejected: readonly Pair[];
}

export const nothingDecided: Decided = { confirmed: [], unseen: [], rejected: [] };

/** The same by index: speakers are rows, faces are columns. Unknown ids are left out. */
export interface DecidedPairs {
  readonly confirmed: readonly Link[];
  readonly isFree: (row: number, column: number) => boolean;
  readonly isUnseen: (row: number) => boolean;
}

export const decidedPairs = (
  { confirmed, unseen, rejected }: Decided,
  speakers: readonly { readonly speaker_id: SpeakerId }[],
  faces: readonly { readonly face_id: FaceId }[],
): DecidedPairs => {
  const rowOf = new Map(speakers.map(({ speaker_id }, row) => [speaker_id, row]));
  const columnOf = new Map(faces.map(({ face_id }, column) => [face_id, column]));
  const links = (pairs: readonly Pair[]): readonly Link[] =>
    pairs.flatMap(({ face_id, speaker_id }) => {
      const [row, column] = [rowOf.get(speaker_id), columnOf.get(face_id)];
      return row === undefined || column === undefined ? [] : [{ row, column }];
    });
  const made = links(confirmed);
  const [rows, columns] = [new Set(made.map(({ row }) => row)), new Set(made.map(({ column }) => column))];
  const hidden = new Set(unseen.flatMap((speaker_id) => rowOf.get(speaker_id) ?? []));
  const refused = new Set(links(rejected).map(({ row, column }) => row * faces.length + column));
  return {
    confirmed: made,
    isFree: (row, column) =>
      !rows.has(row) && !columns.has(column) && !hidden.has(row) && !refused.has(row * faces.length + column),
    isUnseen: (row) => hidden.has(row),
  };
};

/** 1 for allowed pairs, else 0: those that people or names have made only with each other, others if they are free. */
export const possiblePairs = (
  rows: number,
  columns: number,
  { confirmed, isFree }: DecidedPairs,
  named: readonly Link[],
): Matrix => {
  const faceOf = new Map([...confirmed, ...named].map(({ row, column }) => [row, column]));
  const taken = new Set(faceOf.values());
  return tabulate(rows, columns, (row, column) => {
    const own = faceOf.get(row);
    return (own === undefined ? !taken.has(column) && isFree(row, column) : own === column) ? 1 : 0;
  });
};
