import * as E from 'fp-ts/lib/Either.js';
import type { Table } from '../../projections/table.js';
import { DamagedFile } from './damage.js';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The row that a text holds; throws `DamagedFile` when it holds none. */
export const readRow = <Row>({ name, codec }: Pick<Table<Row>, 'name' | 'codec'>, text: unknown): Row => {
  const row = codec.decode(typeof text === 'string' ? parse(text) : undefined);
  if (E.isLeft(row)) throw new DamagedFile(`a row of ${name} does not fit its codec`);
  return row.right;
};

/** The columns of a result's rows, as they came out of the database. */
export const columnsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : []);
