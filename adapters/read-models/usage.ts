import Database from 'libsql';
import * as t from 'io-ts';
import type { AccountId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { TimeRange } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import type { UsagePart } from '../../projections/credit-views.js';
import { utf8Of } from '../runtime/sqlite.js';
import { columnsOf } from './row-json.js';
import { DamagedFile } from './damage.js';

const hourLength = 13;
const afterAll = '~';

const Part = t.tuple([t.string, t.string, t.string, t.number, t.string]);

const partOf = (row: unknown): UsagePart => {
  const columns = columnsOf(row).map((column) => (typeof column === 'number' ? column : utf8Of(column)));
  if (!Part.is(columns)) throw new DamagedFile('a row of usage does not fit');
  const [day, category, key_id, charges, charged] = columns;
  return { day, category, key_id, charges, charged: BigInt(charged) };
};

/** The first full hour at or after a time. */
const hourFrom = (time: Timestamp): string =>
  time.endsWith(':00:00.000Z') ? time.slice(0, hourLength) : secondsAfter(time, 3_600).slice(0, hourLength);

/**
 * What an account was charged in a period, by day, category and key: full hours from the hourly totals, the remainder
 * at both ends from the ledger.
 */
export const readUsage = (db: Database.Database) => {
  /** Texts are read as bytes. */
  const sums = 'CAST(CAST(sum(CAST(charged AS INTEGER)) AS TEXT) AS BLOB)';
  const names = 'CAST(category AS BLOB), CAST(key_id AS BLOB)';
  const hours = db
    .prepare(
      `SELECT CAST(substr(hour, 1, 10) AS BLOB) AS day, ${names}, sum(CAST(charges AS INTEGER)), ${sums}
       FROM ${tables.usage.name} WHERE account_id = ? AND hour >= ? AND hour < ? GROUP BY day, category, key_id`,
    )
    .raw(true);
  const entries = db
    .prepare(
      `SELECT CAST(substr(at, 1, 10) AS BLOB) AS day, ${names}, count(*), ${sums}
       FROM ${tables.ledger.name} WHERE account_id = ? AND at >= ? AND at < ? AND charged IS NOT NULL
       GROUP BY day, category, key_id`,
    )
    .raw(true);
  return (account_id: AccountId, { from, to }: TimeRange): ReadonlyArray<UsagePart> => {
    const [first, last] = [from === null ? '' : hourFrom(from), to === null ? afterAll : to.slice(0, hourLength)];
    const ends = (one: string, other: string) => (one < other ? entries.all(account_id, one, other) : []);
    const rows =
      first >= last
        ? ends(from ?? '', to ?? afterAll)
        : [...ends(from ?? '', first), ...hours.all(account_id, first, last), ...(to === null ? [] : ends(last, to))];
    return rows.map(partOf);
  };
};
