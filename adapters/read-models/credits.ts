import type { AccountId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { LedgerEntry, UsagePart } from '../../projections/credit-views.js';
import type { TimeRange } from '../../projections/event-selection.js';
import type { Listing } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import { type Statements, textOf } from './sqlite.js';
import { listRows } from './stored-table.js';

const { ledger, usage } = tables;
const afterAll = '~';

/**
 * Lists the entries of an account with a number below the given one, newest first. Times and numbers have the same
 * order.
 */
export const listLedger = (statements: Statements) => {
  const list = listRows(statements, ledger, {
    where: `account_id = ?3 AND at >= ?4 AND at < ?5 AND number < ?1
      AND at <= ifnull((SELECT at FROM ${ledger.name} WHERE number = ?1), ?5)`,
    order: 'at DESC, number DESC',
  });
  return (account_id: AccountId, { from, to }: TimeRange, below: number, limit: number): Listing<LedgerEntry> =>
    list(below, limit, account_id, from ?? '', to ?? afterAll);
};

const partOf = ([day, category, key_id, charges, charged]: ReadonlyArray<unknown>): UsagePart => ({
  day: textOf(day) ?? '',
  category: textOf(category) ?? '',
  key_id: textOf(key_id) ?? '',
  charges: Number(charges),
  charged: BigInt(textOf(charged) ?? 0),
});

const hourLength = 13;

/** The first full hour at or after a time. */
const hourFrom = (time: Timestamp): string =>
  time.endsWith(':00:00.000Z') ? time.slice(0, hourLength) : secondsAfter(time, 3_600).slice(0, hourLength);

/**
 * What an account was charged in a period, by day, category and key: full hours from the hourly totals, the remainder
 * at both ends from the ledger.
 */
export const readUsage = (statements: Statements) => {
  const sums = 'CAST(CAST(sum(CAST(charged AS INTEGER)) AS TEXT) AS BLOB)';
  const names = 'CAST(category AS BLOB), CAST(key_id AS BLOB)';
  const hours = statements(
    `SELECT CAST(substr(hour, 1, 10) AS BLOB) AS day, ${names}, sum(CAST(charges AS INTEGER)), ${sums}
     FROM ${usage.name} WHERE account_id = ? AND hour >= ? AND hour < ? GROUP BY day, category, key_id`,
  );
  const entries = statements(
    `SELECT CAST(substr(at, 1, 10) AS BLOB) AS day, ${names}, count(*), ${sums}
     FROM ${ledger.name} WHERE account_id = ? AND at >= ? AND at < ? AND charged IS NOT NULL
     GROUP BY day, category, key_id`,
  );
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
