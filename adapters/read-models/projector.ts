import { constVoid } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page, StoredEvent } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/commands/read-event.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { type SnapshotCollector, collectSnapshots } from '../../application/commands/snapshots.js';
import { projections } from '../../projections/projections.js';
import { type DomainEvent, isErasing } from '../../domain/event-catalogue.js';
import { streamCategory, streamId } from '../../domain/kernel/stream-name.js';
import { yieldIfBusy } from '../runtime/event-loop.js';
import { withUnopened } from './progress-row.js';
import type { Session } from './session.js';
import type { AwaitedChanges } from './waiters.js';
import { snapshotRow } from './snapshots.js';

/** Commits transactions one after the other. Once one has failed, all later ones fail. */
interface Commits {
  /** Commits what is pending; rejects when that fails. */
  readonly now: () => Promise<void>;
  /** Commits what is pending after the current transaction; resolves once the current one is written. */
  readonly next: () => Promise<void>;
  /** Commits what is pending together with what arrives shortly afterwards. */
  readonly soon: () => Promise<void>;
  /** Commits what `soon` has delayed. */
  readonly commitNow: () => void;
  /** Drops what `soon` has delayed; resolves once nothing is being written. Never rejects. */
  readonly idle: () => Promise<void>;
  /** Milliseconds since the last transaction began. */
  readonly msSinceLast: () => number;
}

/** The minimum interval between transactions at the head of the log, in milliseconds, unless somebody waits. */
const minIntervalMs = 25;

/** `commit` returns null when nothing is pending. `onFailed` receives failures of commits that nobody awaits. */
const createCommits = (commit: () => Promise<void> | null, onFailed: (cause: unknown) => void): Commits => {
  let last = Promise.resolve();
  let began = performance.now();
  let delayed: NodeJS.Timeout | null = null;
  const cancelDelayed = (): void => {
    if (delayed !== null) clearTimeout(delayed);
    delayed = null;
  };
  const begin = (): Promise<void> | null => {
    cancelDelayed();
    const written = commit();
    if (written !== null) began = performance.now();
    return written;
  };
  const now = (): Promise<void> => {
    last = last.then(begin).then(constVoid);
    last.catch(constVoid);
    return last;
  };
  const unawaited = (): void => void now().catch(onFailed);
  const next = (): Promise<void> => {
    const before = last;
    unawaited();
    return before;
  };
  const msSinceLast = (): number => performance.now() - began;
  return {
    now,
    next,
    soon: () => {
      if (msSinceLast() >= minIntervalMs) return next();
      delayed ??= setTimeout(unawaited, minIntervalMs - msSinceLast());
      return Promise.resolve();
    },
    commitNow: () => {
      if (delayed !== null) unawaited();
    },
    idle: () => {
      cancelDelayed();
      return last.catch(constVoid);
    },
    msSinceLast,
  };
};

/** An event that no codec reads; the projections stop at it. */
export class UnreadableEventFound extends Error {
  override readonly name = 'UnreadableEventFound';
  readonly event: UnreadableEvent;
  constructor(event: UnreadableEvent) {
    super(event.reason);
    this.event = event;
  }
}

/** Projects the pages of the log to rows. */
interface Projector {
  /** Rejects with `UnreadableEventFound` at an event that no codec reads, once the events before it are committed. */
  readonly take: (page: Page) => Promise<void>;
  /**
   * Called at the head of the log. After a catch-up the pending rows are committed at once, otherwise shortly
   * afterwards.
   */
  readonly arrive: () => Promise<void>;
  /** Commits at once what waits to share a transaction. */
  readonly commitNow: () => void;
  /** Commits what is pending. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Resolves once nothing is being written, and nothing will be: what is pending is lost. */
  readonly idle: () => Promise<void>;
}

export interface ProjectorSettings {
  /** Whether somebody waits for this position or an earlier one. */
  readonly isWanted: (position: Position) => boolean;
  /** Whether somebody waits for the outcome of this match run. */
  readonly isRunAwaited: (run_id: string) => boolean;
  /** Called when earlier rows could not be committed. */
  readonly onFailed: (cause: unknown) => void;
  readonly onCommitted: (changed: AwaitedChanges) => void;
  /** The maximum number of events in a transaction; the rest of a page is added to it. */
  readonly maxEvents: number;
  /** The maximum number of characters of rows in a transaction; the last row may exceed it. */
  readonly maxCharacters: number;
}

const largePageEvents = 500;
const maxTransactionMs = 200;
/** A page has at most about 1 MB and 1,000 events. */
const maxPages = 4;

const projected = new Set(projections.flatMap(({ categories }) => categories));

type Found = E.Either<UnreadableEvent, RecordedEvent<DomainEvent> | null>;

/**
 * The event for the projections and snapshots; null if they do not need it. Such an event is only in the event index
 * and need not be readable.
 */
const toProject = (stored: StoredEvent, snapshots: SnapshotCollector | null): Found => {
  const category = streamCategory(stored.stream);
  if (projected.has(category)) return readEvent(stored);
  return snapshots?.categories.has(category) === true
    ? E.orElse((): Found => E.right(null))(readEvent(stored))
    : E.right(null);
};

/**
 * Projects the events of a page. `passed` is called for each in the same turn; the promise it returns is awaited before
 * the next event. Reading a large event, projecting it and serialising its rows are separate slices of long work.
 */
const projectAll = async (
  { rows, index }: Session,
  page: Page,
  snapshotsNow: () => SnapshotCollector | null,
  passed: (stored: StoredEvent) => Promise<void> | null,
): Promise<UnreadableEvent | null> => {
  for (const stored of page.events) {
    const snapshots = snapshotsNow();
    const found = toProject(stored, snapshots);
    const read = yieldIfBusy();
    if (read !== null) await read;
    if (E.isLeft(found)) return found.left;
    if (found.right !== null) {
      snapshots?.add(found.right);
      if (projected.has(streamCategory(stored.stream)))
        for (const projection of projections) projection.project(rows, found.right);
    }
    index.put(stored);
    const made = passed(stored);
    if (made !== null) await made;
  }
  return null;
};

/** Builds snapshots of long streams during a rebuild from the first event; `keep` saves them and ends that. */
const snapshotsOfRebuild = (session: Session) => {
  let made =
    session.progress().position === null
      ? collectSnapshots((stream, snapshot) => session.keep(snapshotRow(stream, snapshot)))
      : null;
  return {
    made: (): SnapshotCollector | null => made,
    keep: (): void => {
      made?.saveAll();
      made = null;
    },
  };
};

/**
 * Rows and position are committed together. Far behind the head, several pages share a transaction, so that a row which
 * they all change is written once. The next events are projected while the transaction is written, so that at most two
 * transactions are in memory. At the head, events of a short interval are committed together, or at once if somebody
 * waits for them.
 */
export const createProjector = (
  session: Session,
  { isWanted, isRunAwaited, onFailed, onCommitted, maxEvents, maxCharacters }: ProjectorSettings,
): Projector => {
  let { position, log_id, last, unopened } = session.progress();
  let [events, pages] = [0, 0];
  let [following, isFar, erases] = [false, true, false];
  const snapshots = snapshotsOfRebuild(session);
  const commits = createCommits(() => {
    if (position === session.progress().position) return null;
    const erased = erases;
    [events, pages, erases] = [0, 0, false];
    return session.commit({ position, log_id, last, unopened }, erased).then(onCommitted);
  }, onFailed);
  const passed = (stored: StoredEvent): Promise<void> | null => {
    erases ||= isErasing(stored.type);
    if (stored.withheld === 'key_missing') unopened = withUnopened(unopened, stored);
    position = stored.position;
    log_id ??= stored.id;
    last = { position, id: stored.id };
    return session.unwrittenSize() >= maxCharacters ? commits.next() : yieldIfBusy();
  };
  const isAwaited = ({ stream }: StoredEvent): boolean =>
    streamCategory(stream) === 'matchRun' && isRunAwaited(streamId(stream));
  return {
    take: async (page) => {
      const unreadable = await projectAll(session, page, snapshots.made, passed);
      if (unreadable === null) position = page.examined ?? position;
      [events, pages] = [events + page.events.length, pages + 1];
      isFar ||= !following || page.events.length >= largePageEvents;
      const isUrgent = unreadable !== null || (position !== null && isWanted(position));
      if (isUrgent) await commits.now();
      else if (!isFar) await (page.events.some(isAwaited) ? commits.now() : commits.soon());
      else if (events >= maxEvents || pages >= maxPages || commits.msSinceLast() >= maxTransactionMs)
        await commits.next();
      if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    },
    arrive: async () => {
      snapshots.keep();
      const commit = isFar ? commits.now : commits.soon;
      [following, isFar] = [true, false];
      return commit();
    },
    commitNow: commits.commitNow,
    finish: () => commits.now().catch(constVoid),
    idle: commits.idle,
  };
};
