import type Database from 'libsql';
import { hashOfTexts } from '../../../projections/audit/event-hash.js';
import { utf8Of } from '../../runtime/utf8.js';
import { recentMap } from '../recent-map.js';
import { type EventRow, UnreadableRow, toPosition } from './event-row.js';

/** Verifies rows against their hashes; rows of a stream come in order. Throws `UnreadableRow`. */
export type VerifyRows = (rows: ReadonlyArray<EventRow>) => ReadonlyArray<EventRow>;

interface Tail {
  readonly revision: number;
  readonly hash: string | null;
}

const hashField = /^[,{]"hash":"([0-9a-f]{64})"\}$/;
const zeroField = `,"hash":"${'0'.repeat(64)}"}`;
const fieldLength = zeroField.length;

/** The metadata as it was before the hash was added as its last field, and the hash; null when it has none there. */
const splitHash = (metadata: string): { readonly plain: string; readonly hash: string } | null => {
  const hash = hashField.exec(metadata.slice(-fieldLength))?.[1];
  const before = metadata.slice(0, -fieldLength);
  return hash === undefined ? null : { plain: before === '' ? '{}' : `${before}}`, hash };
};

/** A field with at most this many wrong characters is a damaged hash; other fields differ in many more. */
const maxWrong = 8;

const isWrong = (character: string, at: number): boolean =>
  zeroField[at] === '0' ? !/[0-9a-f]/.test(character) : character !== zeroField[at];

/** Whether metadata without a hash ended with one before a few bytes were damaged. */
const hasDamagedHash = (metadata: string): boolean => {
  const end = metadata.slice(-fieldLength).split('');
  return end.length === fieldLength && end.filter(isWrong).length <= maxWrong;
};

const recentStreams = 10_000;

/**
 * Refuses rows whose hash does not match their content and the preceding event, so that a damaged file causes an error
 * instead of a different history. Events without a hash pass (old ones, or those of other clients), but not after an
 * event that has one, and not if they end with a damaged one.
 */
export const createRowVerifier = (db: Database.Database): VerifyRows => {
  const tails = recentMap<Tail>(recentStreams);
  const select = db
    .prepare('SELECT CAST(substr(metadata, -76) AS BLOB) FROM events WHERE stream = ? AND revision = ?')
    .raw(true);
  const hashBefore = (stream: string, revision: number): string | null => {
    if (revision === 0) return null;
    const known = tails.get(stream);
    if (known?.revision === revision - 1) return known.hash;
    const found: unknown = select.get(stream, revision - 1);
    return splitHash(utf8Of(Array.isArray(found) ? found[0] : null) ?? '')?.hash ?? null;
  };
  const verify = ([row, stream, revision, id, type, data, metadata]: EventRow): void => {
    const split = splitHash(metadata);
    const before = hashBefore(stream, revision);
    const isValid =
      split === null
        ? before === null && !hasDamagedHash(metadata)
        : hashOfTexts({ stream, revision, id, type }, { data, metadata: split.plain }, before) === split.hash;
    if (isValid) return tails.set(stream, { revision, hash: split?.hash ?? null });
    const place = `at position ${toPosition(row)} (${stream}, revision ${revision})`;
    throw new UnreadableRow(`the event log is damaged ${place}: the event's hash is not that of its content`);
  };
  return (rows) => {
    rows.forEach(verify);
    return rows;
  };
};
