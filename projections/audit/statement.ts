import type { DomainEvent } from '../../domain/event-catalogue.js';
import { add, creditsOf, creditsText, zeroCredits } from '../../domain/kernel/credits.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { LedgerCategory, LedgerEntry } from '../credit-views.js';
import { credits } from '../credits.js';
import { memoryRows } from '../tables.js';

const categories: ReadonlyArray<LedgerCategory> = ['grant', 'correction', 'name_inference', 'realtime'];

/** Number and sum of the entries of each category that has some. */
const subtotalsOf = (entries: ReadonlyArray<LedgerEntry>) =>
  categories.flatMap((category) => {
    const own = entries.filter((entry) => entry.category === category);
    const amount = own.reduce((sum, entry) => add(sum, creditsOf(entry.amount)), zeroCredits);
    return own.length === 0 ? [] : [{ category, entries: own.length, amount: creditsText(amount) }];
  });

/**
 * The ledger entries of an account in a month in UTC, such as `2026-01`. `events`: all credit events of the account from
 * the first.
 */
export const statementOf = (account_id: string, month: string, events: ReadonlyArray<RecordedEvent<DomainEvent>>) => {
  const rows = memoryRows();
  events.forEach((recorded) => credits.project(rows, recorded));
  const all = rows.ledger.all();
  const entries = all.filter(({ at }) => at.startsWith(`${month}-`));
  const opening_balance = all.findLast(({ at }) => at < month)?.balance_after ?? creditsText(zeroCredits);
  return {
    account_id,
    month,
    opening_balance,
    entries,
    subtotals: subtotalsOf(entries),
    closing_balance: entries.at(-1)?.balance_after ?? opening_balance,
  };
};
