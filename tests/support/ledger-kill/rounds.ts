import { setTimeout } from 'node:timers/promises';
import { newKey } from '../accounts.js';
import { createCall } from '../e2e/naming.js';
import { openLogOf } from '../engine.js';
import { until } from '../event-store/outcomes.js';
import { temporaryFolder } from '../event-store/temporary-sqlite.js';
import { httpClient } from '../http-client.js';
import { gaps, missingReactions, readLog } from '../kill-nine/log.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../service-process.js';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { wrongHolds, type Books, wrongAnswers, wrongBookings, wrongCharges, wrongCommits, wrongSums } from './check.js';
import { shownBooks } from './ledger.js';
import { type Operations, type Payer, noOperations, performOne } from './operations.js';

/** The accounts whose ledgers are checked. */
const accounts = ['payer-a', 'payer-b', 'payer-c'];

/** Opens the accounts, each with a key and an audio for name inference. */
const openPayers = async (url: string): Promise<ReadonlyArray<Payer>> => {
  const admin = httpClient(url, adminKey);
  const payers: Payer[] = [];
  for (const account of accounts) {
    const key = await newKey(admin, account, { permissions: ['WORKER'] });
    await createCall(
      httpClient(url, key),
      `${account}-call`,
      [1, 'Good morning, my name is Ada Lovelace, how can I help you?'],
      [2, 'Hello Ada, this is Grace Hopper, my machine has a problem.'],
    );
    payers.push({ account, key });
  }
  return payers;
};

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

export interface LedgerKill {
  readonly operations: number;
  readonly clients: number;
  /** Maximum time under load before a kill. */
  readonly longest_ms: number;
  readonly onKill?: (kills: number, operations: Operations) => void;
}

export interface LedgerKillReport extends LedgerCheck {
  readonly kills: number;
}

/** A run interrupted by a kill is given up five seconds after this timeout. */
const env = { NAME_MODEL_TIMEOUT_SECONDS: '1' };

/** One in this many clients repeats unanswered requests first; the others continue with new ones. */
const patientEvery = 4;

/** Runs clients until the number of operations is reached or the service ends. */
const load = (service: ServiceProcess, operations: Operations, payers: ReadonlyArray<Payer>, settings: LedgerKill) => {
  const admin = httpClient(service.url, adminKey);
  const client = async (_: unknown, number: number): Promise<void> => {
    const isLast = (): boolean => operations.done >= settings.operations;
    while (!isLast() || operations.unanswered.length > 0)
      try {
        await performOne(service.url, admin, operations, payers, isLast() || number % patientEvery === 0);
      } catch {
        return;
      }
  };
  return Promise.all(Array.from({ length: settings.clients }, client));
};

/** Repeatedly kills the service during credit operations, then checks the ledger against the answers. */
export const ledgerKill = async (settings: LedgerKill): Promise<LedgerKillReport> => {
  const { path, remove } = await temporaryFolder();
  const operations = noOperations();
  let service = await startServiceProcess(path, { env, node: shortLivedNodeOptions });
  const payers = await openPayers(service.url);
  let kills = 0;
  while (operations.done < settings.operations) {
    const before = operations.done;
    const running = load(service, operations, payers, settings);
    await until('the first operation', () => operations.done > before);
    await setTimeout(Math.random() * settings.longest_ms);
    await service.kill();
    await running;
    kills += 1;
    settings.onKill?.(kills, operations);
    service = await startServiceProcess(path, { env, node: shortLivedNodeOptions });
  }
  await load(service, operations, payers, settings);
  const report = await checkLedger(path, service.url, operations);
  await service.stop();
  await remove();
  return { ...report, kills };
};
