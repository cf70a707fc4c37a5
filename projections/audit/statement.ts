import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type CreditsText, creditsText, zeroCredits } from '../../domain/kernel/credits.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { LedgerEntry } from '../credit-views.js';
import { credits } from '../credits.js';
import { memoryRows } from '../memory-rows.js';

/** What an account was charged and granted in a month. */
export interface Statement {
  readonly account_id: string;
  /** As in `2026-01`. */
  readonly month: string;
  readonly opening_balance: CreditsText;
  readonly entries: ReadonlyArray<LedgerEntry>;
  readonly closing_balance: CreditsText;
}

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
    closing_balance: entries.at(-1)?.balance_after ?? opening_balance,
  };
};
