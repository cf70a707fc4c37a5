import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type CreditsText, add, creditsOf, creditsText, zeroCredits } from '../../domain/kernel/credits.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { LedgerCategory, LedgerEntry } from '../credit-views.js';
import { credits } from '../credits.js';
import { memoryRows } from '../tables.js';

interface Subtotal {
  readonly category: LedgerCategory;
  /** Number of entries. */
  readonly entries: number;
  readonly amount: CreditsText;
}

/** The ledger entries of an account in a month. */
export interface Statement {
  readonly account_id: string;
  /** Such as `2026-01`. */
  readonly month: string;
  readonly opening_balance: CreditsText;
  readonly entries: ReadonlyArray<LedgerEntry>;
  /** Only categories with entries. */
  readonly subtotals: ReadonlyArray<Subtotal>;
  readonly closing_balance: CreditsText;
}

const categories: ReadonlyArray<LedgerCategory> = ['grant', 'correction', 'name_inference', 'realtime'];

const subtotalsOf = (entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<Subtotal> =>
  categories.flatMap((category) => {
    const own = entries.filter((entry) => entry.category === category);
    const amount = own.reduce((sum, entry) => add(sum, creditsOf(entry.amount)), zeroCredits);
    return own.length === 0 ? [] : [{ category, entries: own.length, amount: creditsText(amount) }];
  });

/** The statement of a month in UTC. `events`: all credit events of the account from the first. */
export const statementOf = (
  account_id: string,
  month: string,
  events: ReadonlyArray<RecordedEvent<DomainEvent>>,
): Statement => {
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
