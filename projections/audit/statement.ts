import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type CreditsText, add, creditsOf, creditsText, zeroCredits } from '../../domain/kernel/credits.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { LedgerEntry } from '../credit-views.js';
import { credits } from '../credits.js';
import { memoryRows } from '../memory-rows.js';

/** What an entry was booked for. */
export type Category = 'grant' | 'correction' | 'name_inference' | 'realtime';

interface Subtotal {
  readonly category: Category;
  /** Number of entries. */
  readonly entries: number;
  readonly amount: CreditsText;
}

/** What an account was charged and granted in a month. */
export interface Statement {
  readonly account_id: string;
  /** As in `2026-01`. */
  readonly month: string;
  readonly opening_balance: CreditsText;
  readonly entries: ReadonlyArray<LedgerEntry>;
  /** Those of categories with an entry. */
  readonly subtotals: ReadonlyArray<Subtotal>;
  readonly closing_balance: CreditsText;
}

export const categoryOf = ({ kind, session_id }: LedgerEntry): Category => {
  if (kind !== 'charge') return kind;
  return session_id === null ? 'name_inference' : 'realtime';
};

const categories: ReadonlyArray<Category> = ['grant', 'correction', 'name_inference', 'realtime'];

const subtotalsOf = (entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<Subtotal> =>
  categories.flatMap((category) => {
    const own = entries.filter((entry) => categoryOf(entry) === category);
    const amount = own.reduce((sum, entry) => add(sum, creditsOf(entry.amount)), zeroCredits);
    return own.length === 0 ? [] : [{ category, entries: own.length, amount: creditsText(amount) }];
  });

/** The statement of a month in UTC; `events` are those of the account's credits, from the first. */
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
