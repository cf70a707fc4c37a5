import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/commands/read-event.js';
import { aggregates } from '../../application/application.js';
import type { CreditAccountState } from '../../domain/credit-account/state.js';
import type { LedgerEntry } from '../../projections/credit-views.js';
import { credits as projection } from '../../projections/credits.js';
import { memoryRows } from '../../projections/tables.js';
import type { World } from './application/world.js';
import { charge } from './credit-events.js';
import { succeeded } from './event-store/stores.js';
import { accountId } from './values.js';

/** Charges an account for the run with the id of the charge. Returns whether it was booked now, and the balance. */
export const chargeRun = async ({ app, request }: World, account: string, id: string, amount: string) => {
  const context = request();
  const command = { ...charge(id, amount), at: context.at };
  const { state, recorded } = await succeeded(app.perform(context, 'creditAccounts', accountId(account), command));
  return { booked: recorded.length > 0, balance: state.balance };
};

export interface Books {
  readonly account: CreditAccountState;
  /** Oldest first. */
  readonly entries: ReadonlyArray<LedgerEntry>;
}

/** The account, and the entries that the projection computes from the streams of an account and of sessions. */
export const booksOf = async (
  store: EventStore,
  account: string,
  sessions: ReadonlyArray<string> = [],
): Promise<Books> => {
  const rows = memoryRows();
  const streams = [...sessions.map((session) => `realtimeSession-${session}`), `creditAccount-${account}`];
  const pages = await Promise.all(streams.map((stream) => succeeded(store.read(stream, -1, 100_000))));
  for (const stored of pages.flat()) {
    const recorded = readEvent(stored);
    if (E.isLeft(recorded)) throw new Error(recorded.left.reason);
    projection.project(rows, recorded.right);
  }
  const { state } = await succeeded(aggregates(store).creditAccounts.load(account));
  return { account: state, entries: rows.ledger.where('account_id', account) };
};
