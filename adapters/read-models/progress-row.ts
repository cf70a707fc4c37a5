import * as t from 'io-ts';
import type Database from 'libsql';
import type { StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { utf8Of } from '../runtime/sqlite.js';
import { type TableSums, checksumOf } from './checksum.js';
import { DamagedFile } from './damage.js';
import { columnsOf } from './row-json.js';

/** How far the rows are, and of which log. */
export interface Progress {
  /** All events up to this position are in the rows; null before the first. */
  readonly position: Position | null;
  /** The id of the first event of the log; null before there was one. */
  readonly log_id: string | null;
  /** The last event that was read, used to recognise the log; null before there was one. */
  readonly last: Pick<StoredEvent, 'position' | 'id'> | null;
  /**
   * Events that are in no row because their key is missing: the first of each stream, for at most a hundred streams.
   */
  readonly unopened: ReadonlyArray<Pick<StoredEvent, 'stream' | 'revision'>>;
}

const maxUnopened = 100;

/** The list with this event added. */
export const withUnopened = (
  unopened: Progress['unopened'],
  { stream, revision }: Progress['unopened'][number],
): Progress['unopened'] =>
  unopened.length === maxUnopened || unopened.some((one) => one.stream === stream)
    ? unopened
    : [...unopened, { stream, revision }];

export interface ProgressRow extends Progress {
  readonly sums: TableSums;
}

const Details = t.type({
  log_id: t.union([t.string, t.null]),
  last: t.union([t.type({ position: t.string, id: t.string }), t.null]),
  unopened: t.array(t.type({ stream: t.string, revision: t.number })),
  sums: t.record(t.string, t.type({ rows: t.number, sum: t.number })),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Reads the progress row; throws `DamagedFile` when it is not as it was written. */
export const readProgressRow = (db: Database.Database): ProgressRow => {
  const row: unknown = db
    .prepare('SELECT CAST(position AS BLOB), CAST(details AS BLOB), checksum FROM progress')
    .raw(true)
    .get();
  const [bytes, detailBytes, checksum] = columnsOf(row);
  const position = bytes === null ? null : utf8Of(bytes);
  const text = utf8Of(detailBytes);
  const details = parsed(text ?? '');
  if (text === null || !Details.is(details) || checksumOf([position, text]) !== checksum)
    throw new DamagedFile('the progress row of the read models is damaged');
  return { position, ...details };
};
