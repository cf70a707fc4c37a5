import * as E from 'fp-ts/lib/Either.js';
import type { Table } from '../../projections/table.js';
import { utf8Of } from '../runtime/sqlite.js';
import { rowChecksum } from './checksum.js';
import { DamagedFile } from './damage.js';

/** The columns of a result row as the database returned them. */
export const columnsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : []);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A row with the length of its JSON text. */
export interface ReadRow<Row> {
  readonly row: Row;
  readonly size: number;
}

/** The columns to select for `readRow`. */
export const rowColumns = 'CAST(row AS BLOB), checksum';

/** The row from these bytes; throws `DamagedFile` when they are not what was written. */
export const readRow = <Row>(table: Table<Row>, bytes: unknown, checksum: unknown): ReadRow<Row> => {
  const text = utf8Of(bytes);
  const decoded = text === null ? null : table.codec.decode(parse(text));
  if (text === null || decoded === null || E.isLeft(decoded))
    throw new DamagedFile(`a row of ${table.name} does not fit its codec`);
  const row = decoded.right;
  const columns = Object.values(table.columns).map((column) => column(row));
  if (Buffer.isBuffer(bytes) && rowChecksum(table.key(row), columns, bytes) === checksum)
    return { row, size: text.length };
  throw new DamagedFile(`a row of ${table.name} is not as it was written`);
};
