import { openLogOf } from '../engine.js';
import { httpClient } from '../http-client.js';
import { gaps, missingReactions, readLog } from '../kill-nine/log.js';
import { adminKey } from '../service-process.js';
import { type Books, wrongAnswers, wrongBookings, wrongCharges, wrongCommits, wrongSums } from './check.js';
import { wrongHolds } from './check-holds.js';
import { shownBooks } from './ledger.js';
import type { Operations } from './operations.js';
import { accounts } from './payers.js';

export interface LedgerCheck {
  readonly operations: number;
  readonly charges: number;
  readonly bookings: number;
  /** Requests that repeated a key. */
  readonly repeats: number;
  readonly violations: ReadonlyArray<string>;
}

/** Checks the service's ledgers and its log against all operations and their answers. */
export const checkLedger = async (data_dir: string, url: string, operations: Operations): Promise<LedgerCheck> => {
  const admin = httpClient(url, adminKey);
  const books: Books[] = [];
  for (const account of accounts) books.push({ account, ...(await shownBooks(admin, account)) });
  const opened = await openLogOf(data_dir);
  try {
    const log = await readLog(opened.store);
    const violations = [
      ...operations.faults,
      ...gaps(log),
      ...missingReactions(log),
      ...books.flatMap(wrongSums),
      ...wrongBookings(operations.booked, books),
      ...wrongCharges(log, operations, books),
      ...wrongAnswers(log, operations.inferences),
      ...wrongCommits(log),
      ...wrongHolds(log),
    ];
    const entries = books.flatMap((book) => book.entries);
    const charges = entries.filter(({ kind }) => kind === 'charge').length;
    const repeats = operations.inferences.reduce((sum, { request_ids }) => sum + request_ids.length - 1, 0);
    const counts = { charges, bookings: entries.length - charges, repeats };
    return { operations: operations.done, ...counts, violations };
  } finally {
    await opened.close();
  }
};
