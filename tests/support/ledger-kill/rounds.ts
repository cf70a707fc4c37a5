import { newKey, httpClient } from '../http-client.js';
import { createCall } from '../e2e/naming.js';
import { openLogOf } from '../engine.js';
import { until, temporaryFolder } from '../event-store/stores.js';
import { faultsOfLog, readLog } from '../kill-nine/log.js';
import { type Killed, type Running, killUnderLoad } from '../killed-service.js';
import {
  wrongHolds,
  type Books,
  wrongAnswers,
  wrongBookings,
  wrongCharges,
  wrongCommits,
  wrongSums,
  shownBooks,
} from './check.js';
import { type Operations, type Payer, noOperations, performOne } from './operations.js';

/** The accounts whose ledgers are checked. */
const accounts = ['payer-a', 'payer-b', 'payer-c'];

/** Opens the accounts, each with a key and an audio for name inference. */
const openPayers = async ({ url, admin }: Running): Promise<ReadonlyArray<Payer>> => {
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

/** Checks the service's ledgers and its log against all operations and their answers. */
const faultsOf = async (data_dir: string, books: ReadonlyArray<Books>, operations: Operations) => {
  const opened = await openLogOf(data_dir);
  try {
    const log = await readLog(opened.store);
    return [
      ...operations.faults,
      ...faultsOfLog(log),
      ...books.flatMap(wrongSums),
      ...wrongBookings(operations.booked, books),
      ...wrongCharges(log, operations, books),
      ...wrongAnswers(log, operations.inferences),
      ...wrongCommits(log),
      ...wrongHolds(log),
    ];
  } finally {
    await opened.close();
  }
};

interface LedgerKill extends Killed {
  readonly operations: number;
  readonly charges: number;
  readonly bookings: number;
  /** Requests that repeated a key. */
  readonly repeats: number;
}

interface Settings {
  readonly operations: number;
  readonly clients: number;
  readonly longest_ms: number;
  readonly onKill?: (kills: number, done: number) => void;
}

/** A run interrupted by a kill is given up five seconds after this timeout. */
const env = { NAME_MODEL_TIMEOUT_SECONDS: '1' };

/** One in this many clients repeats unanswered requests first; the others continue with new ones. */
const patientEvery = 4;

/** Kills a service during credit operations, until there were enough, and then checks its ledgers. */
export const ledgerKill = async ({ clients, longest_ms, onKill, ...settings }: Settings): Promise<LedgerKill> => {
  const { path, remove } = await temporaryFolder();
  const operations = noOperations();
  const isLast = (): boolean => operations.done >= settings.operations;
  let payers: ReadonlyArray<Payer> = [];
  let books: ReadonlyArray<Books> = [];
  /** Runs clients until there were enough operations or the service ends. */
  const work = ({ url, admin }: Running): Promise<unknown> => {
    const client = async (_: unknown, number: number): Promise<void> => {
      while (!isLast() || operations.unanswered.length > 0)
        try {
          await performOne(url, admin, operations, payers, isLast() || number % patientEvery === 0);
        } catch {
          return;
        }
    };
    return Promise.all(Array.from({ length: clients }, client));
  };
  const killed = await killUnderLoad({
    data_dir: path,
    env,
    goesOn: () => !isLast(),
    longest_ms,
    onKill: (kills) => onKill?.(kills, operations.done),
    load: async (service) => {
      if (payers.length === 0) payers = await openPayers(service);
      const before = operations.done;
      const working = work(service);
      await until('the first operation', () => operations.done > before);
      return () => working;
    },
    judge: async (service) => {
      if (!isLast()) return [];
      await work(service);
      books = await Promise.all(
        accounts.map(async (account) => ({ account, ...(await shownBooks(service.admin, account)) })),
      );
      return faultsOf(path, books, operations);
    },
  });
  await remove();
  const entries = books.flatMap((book) => book.entries);
  const charges = entries.filter(({ kind }) => kind === 'charge').length;
  const repeats = operations.inferences.reduce((sum, { request_ids }) => sum + request_ids.length - 1, 0);
  return { ...killed, operations: operations.done, charges, bookings: entries.length - charges, repeats };
};
