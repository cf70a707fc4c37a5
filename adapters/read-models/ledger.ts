import type Database from 'libsql';
import { creditsOf, creditsText, subtract } from '../../domain/kernel/credits.js';
import type { AccountId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import {
  type CreditAccountRow,
  type CreditAccountView,
  type LedgerEntry,
  heldAt,
} from '../../projections/credit-views.js';
import type { TimeRange } from '../../projections/queries.js';
import { tables } from '../../projections/tables.js';
import { type Found, listRows } from './found-rows.js';
import { columnsOf, readRow, rowColumns } from './row-json.js';

const { name } = tables.ledger;
const afterAll = '~';

/**
 * Lists the entries of an account with a number below the given one, newest first. Times and numbers have the same
 * order.
 */
export const listLedger = (db: Database.Database) => {
  const list = listRows(db, tables.ledger, {
    where: `account_id = ?3 AND at >= ?4 AND at < ?5 AND number < ?1
      AND at <= ifnull((SELECT at FROM ${name} WHERE number = ?1), ?5)`,
    order: 'at DESC, number DESC',
  });
  return (account_id: AccountId, { from, to }: TimeRange, below: number, limit: number): Found<LedgerEntry> =>
    list(below, limit, account_id, from ?? '', to ?? afterAll);
};

/** What an account may spend: its balance, and its spending window with the charges of the period before `now`. */
export const readCreditAccount = (
  db: Database.Database,
  committed: (account_id: string) => CreditAccountRow | null,
): ((account_id: AccountId, now: Timestamp) => CreditAccountView | null) => {
  const lastUpTo = db
    .prepare(`SELECT ${rowColumns} FROM ${name} WHERE account_id = ? AND at <= ? ORDER BY at DESC, number DESC LIMIT 1`)
    .raw(true);
  return (account_id, now) => {
    const account = committed(account_id);
    if (account === null) return null;
    const { balance, revision, window, charged_total } = account;
    const held = heldAt(account, now);
    if (window === null) return { balance, held, revision, window };
    const found = lastUpTo.get(account_id, secondsAfter(now, 0 - window.period_seconds));
    const [bytes, checksum] = columnsOf(found);
    const before = found === undefined ? null : readRow(tables.ledger, bytes, checksum).row.charged_total;
    const spent = before === null ? charged_total : creditsText(subtract(creditsOf(charged_total), creditsOf(before)));
    return { balance, held, revision, window: { ...window, spent } };
  };
};
