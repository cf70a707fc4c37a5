import type { Tagged } from '../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import { type SealedLog, type LogEndsBelowSeal, auditSealEvents, auditSeal } from '../../domain/audit-seal/contract.js';
import { type Position, isEventOf } from '../../domain/kernel/recorded-event.js';
import { type Fault, faultOfLog, inOrderOfLog } from '../../projections/audit/fault.js';
import { createLogScan, type LogScan, type ScannedLog } from '../../projections/audit/scan-log.js';
import { shownPosition } from '../../projections/audit/shown-event.js';
import type { SealToCheck } from '../../projections/audit/seal-checks.js';
import type { EventStore, StoreUnavailable } from '../ports/event-store.js';
import { type OnProgress, readLog, streamPages } from './read-log.js';
import { eventHash, hashOf } from '../../projections/audit/event-hash.js';
import { readEvent } from '../commands/read-event.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { aggregate } from '../commands/handle-command.js';
import type { Clock } from '../ports/clock.js';
import type { Ids } from '../ports/ids.js';
import { commandContext, serviceRequest } from '../commands/context.js';

export const sealStream = 'auditSeal-log';

/** A seal in the log. */
export interface StoredSeal {
  readonly revision: number;
  readonly hash: string;
  readonly position: string;
  readonly sealed: SealedLog;
}

/** The intact seals of a log, in order. Seals whose hash does not match are left out. */
const readSeals = async (store: EventStore): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredSeal>>> => {
  const seals: StoredSeal[] = [];
  let previous: string | null = null;
  for await (const page of streamPages(store, sealStream)) {
    if (E.isLeft(page)) return page;
    for (const stored of page.right) {
      const hash = hashOf(stored);
      const recorded = readEvent(stored);
      const isWhole = hash !== null && hash === eventHash(stored, previous);
      if (isWhole && E.isRight(recorded) && recorded.right.event.type === 'LogSealed') {
        const { at: _at, ...sealed } = recorded.right.event.data;
        seals.push({ revision: stored.revision, hash, position: stored.position, sealed });
      }
      previous = hash;
    }
  }
  return E.right(seals);
};

/** A seal that was kept outside the log: its number and hash, or its whole content. */
export type KeptSeal =
  | { readonly kind: 'token'; readonly revision: number; readonly hash: string }
  | { readonly kind: 'whole'; readonly sealed: SealedLog };

/** The result of verifying a log. */
export interface VerifiedLog extends ScannedLog {
  readonly seals: number;
  /** Whether the log could be read to its end. */
  readonly is_whole: boolean;
  /** The last position that a seal of the log covers. */
  readonly sealed_up_to: string | null;
}

const missing = (kept: ReadonlyArray<KeptSeal>, stored: ReadonlyArray<StoredSeal>): ReadonlyArray<Fault> =>
  kept.flatMap((seal) => {
    if (seal.kind === 'whole') return [];
    if (stored.some(({ revision, hash }) => revision === seal.revision && hash === seal.hash)) return [];
    const message = `the log does not hold the seal that was kept: number ${seal.revision} with the hash ${seal.hash}`;
    return [faultOfLog('seal_missing', message)];
  });

const toCheck = (kept: ReadonlyArray<KeptSeal>, stored: ReadonlyArray<StoredSeal>): ReadonlyArray<SealToCheck> => [
  ...kept.flatMap((seal) => (seal.kind === 'whole' ? [{ sealed: seal.sealed, name: 'the seal that was kept' }] : [])),
  ...stored.map(({ revision, sealed }) => ({ sealed, name: `seal number ${revision}` })),
];

/**
 * Passes the whole log to a scan. If a page cannot be read, its events are read one by one, up to the one that cannot.
 */
export const scanAll = async (
  store: EventStore,
  scan: LogScan,
  onProgress?: OnProgress,
  after: Position | null = null,
  limit?: 1,
): Promise<E.Either<StoreUnavailable, void>> => {
  let last = after;
  for await (const page of readLog(store, {}, after, onProgress, limit)) {
    if (E.isLeft(page)) return limit === 1 ? page : scanAll(store, scan, onProgress, last, 1);
    page.right.forEach(scan.take);
    last = page.right.at(-1)?.position ?? last;
  }
  return E.right(undefined);
};

const unreadable =
  (last: string | null) =>
  ({ reason }: StoreUnavailable): Fault => {
    const where = last === null ? 'at all' : `beyond position ${shownPosition(last)}`;
    return faultOfLog('broken_storage', `the log cannot be read ${where}: ${reason}`);
  };

/** Without failures whose reason was given before: a store that cannot be reached fails every time. */
const distinctReasons = <Failed extends { readonly reason: string }>(failures: ReadonlyArray<Failed>) =>
  failures.filter(({ reason }, at) => failures.findIndex((other) => other.reason === reason) === at);

/**
 * Verifies a log: hash chains, revisions, ids, ledgers, its seals, and seals that were kept elsewhere. If the log cannot be
 * read to its end, that is a fault too.
 */
export const verifyLog = async (
  store: EventStore,
  kept: ReadonlyArray<KeptSeal> = [],
  onProgress?: OnProgress,
): Promise<VerifiedLog> => {
  const read = await readSeals(store);
  const stored = E.isRight(read) ? read.right : [];
  const scan = createLogScan(toCheck(kept, stored));
  const scanned = await scanAll(store, scan, onProgress);
  const found = scan.end({ isWhole: E.isRight(scanned) });
  const failures = distinctReasons([read, scanned].flatMap((result) => (E.isLeft(result) ? [result.left] : [])));
  const faults = [...found.faults, ...missing(kept, stored), ...failures.map(unreadable(found.position))];
  return {
    ...found,
    faults: faults.sort(inOrderOfLog),
    seals: stored.length,
    is_whole: E.isRight(scanned),
    sealed_up_to: stored.at(-1)?.sealed.position ?? null,
  };
};

/** The log has a fault and is not sealed. */
export type LogIsWrong = Tagged<'LogIsWrong', { first: Fault }>;

/** The log is empty. */
export type NothingToSeal = Tagged<'NothingToSeal'>;

type SealFailure = LogIsWrong | NothingToSeal | LogEndsBelowSeal | RevisionChanged | Failure;

const isSeal = isEventOf(auditSealEvents);

/**
 * Verifies the whole log and appends a seal over it. Returns the newest seal, which is an earlier one if nothing was written
 * since.
 */
export const sealLog = async (
  { store, ids, clock }: { readonly store: EventStore; readonly ids: Ids; readonly clock: Clock },
  onProgress?: OnProgress,
): Promise<E.Either<SealFailure, StoredSeal & { readonly isNew: boolean }>> => {
  const before = await readSeals(store);
  if (E.isLeft(before)) return before;
  const scan = createLogScan(toCheck([], before.right));
  const scanned = await scanAll(store, scan, onProgress);
  if (E.isLeft(scanned)) return scanned;
  const [first] = scan.end({ isWhole: true }).faults;
  if (first !== undefined) return E.left({ _tag: 'LogIsWrong', first });
  const sealed = scan.seal();
  if (sealed === null) return E.left({ _tag: 'NothingToSeal' });
  const at = clock.now();
  const context = commandContext(ids, serviceRequest('audit-seal', ids.random(), at));
  const handled = await aggregate(store, auditSeal, isSeal).handle('log', { type: 'SealLog', sealed, at }, context)();
  if (E.isLeft(handled)) return handled;
  const after = await readSeals(store);
  if (E.isLeft(after)) return after;
  const last = before.right.at(-1)?.revision ?? -1;
  const newest = after.right.at(-1);
  return newest === undefined
    ? E.left({ _tag: 'NothingToSeal' })
    : E.right({ ...newest, isNew: newest.revision > last });
};
