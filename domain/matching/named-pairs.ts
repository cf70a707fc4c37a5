import type { JsonObject } from '../kernel/recorded-event.js';
import type { Link } from './assignment.js';
import { type CaptionedFace, captionMatchAccuracy, type HeardSpeaker, matchByCaption } from './caption-channel.js';
import { type Matrix, tabulate } from './matrix.js';
import { matchByName, type NamedFace, type NamedSpeaker, nameMatchAccuracy } from './name-channel.js';

/** A speaker (row) and a face (column) matched by name. */
export interface NamedPair extends Link {
  readonly accuracy: number;
  readonly evidence: JsonObject;
}

/** Pairs with equal names, followed by faces without a name whose captions name a speaker. */
export const namedPairs = (
  faces: readonly (NamedFace & CaptionedFace)[],
  speakers: readonly (NamedSpeaker & HeardSpeaker)[],
): readonly NamedPair[] => {
  const rowOf = new Map(speakers.map(({ speaker_id }, row) => [speaker_id, row]));
  const columnOf = new Map(faces.map(({ face_id }, column) => [face_id, column]));
  const byName = matchByName(faces, speakers).map(({ face_id, speaker_id }): NamedPair => {
    const column = columnOf.get(face_id) ?? -1;
    const evidence = { equal_name: faces[column]?.name ?? null };
    return { row: rowOf.get(speaker_id) ?? -1, column, accuracy: nameMatchAccuracy, evidence };
  });
  const byCaption = matchByCaption(faces, speakers).map(({ row, column, caption }): NamedPair => ({
    row,
    column,
    accuracy: captionMatchAccuracy,
    evidence: { caption },
  }));
  return [...byName, ...byCaption];
};

/** 1 for allowed pairs, else 0: named pairs only with each other, and all others among themselves. */
export const possiblePairs = (rows: number, columns: number, named: readonly Link[]): Matrix => {
  const faceOf = new Map(named.map(({ row, column }) => [row, column]));
  const taken = new Set(faceOf.values());
  return tabulate(rows, columns, (row, column) => {
    const own = faceOf.get(row);
    return (own === undefined ? !taken.has(column) : own === column) ? 1 : 0;
  });
};
