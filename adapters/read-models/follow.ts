import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type { EventStore, Page } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Progress } from './file.js';
import { DamagedFile, isDamage, reasonOf } from './sqlite.js';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { backoff } from '../../application/queue-and-backoff.js';
import { type UnreadableEvent, orThrow } from '../../application/failures.js';
import type { Log } from '../../application/ports/log.js';
import type { ReadModelsUnavailable } from '../../projections/queries.js';
import { pause } from '../runtime/clock.js';
import { type Changes, type Session, openSession } from './session.js';

/** Whether an event that could not be opened before can be opened now. */
const canBeOpened = async (store: Pick<EventStore, 'read'>, unopened: Progress['unopened']): Promise<boolean> => {
  for (const { stream, revision } of unopened) {
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isRight(read) && read.right.some(({ withheld }) => withheld === undefined)) return true;
  }
  return false;
};

/**
 * Why the rows cannot belong to a log with this head; null if they do. Its head position alone says nothing, because the
 * last event may not be one of this service. Throws if the log cannot be read.
 */
const mismatchOf = async (store: EventStore, { log_id, last }: Progress, head: Position | null) => {
  if (last === null) return null;
  const expected = `they have seen the events up to position ${last.position}, the last of them ${last.id}`;
  if (head === null) return `${expected}, but the log is empty`;
  const [first] = orThrow(await store.readAll(null, {}, 1)()).events;
  if (first?.id !== log_id) return `${expected}, but the log is another one, which ends at position ${head}`;
  const there = orThrow(await store.at(last.position)());
  if (there?.id === last.id) return null;
  return head < last.position
    ? `${expected}, but the log ends at position ${head}`
    : `${expected}, but the log has another event there`;
};

/**
 * Why the read models do not advance: permanently at an event that no codec reads, or until something becomes available
 * again.
 */
export type ReadModelsFailure = UnreadableEvent | ReadModelsUnavailable;

export interface ReadModelsOptions {
  /** The file of the rows; it is created when missing, but its folder is not. It may be deleted at any time. */
  readonly file: string;
  readonly store: EventStore;
  readonly log?: Log;
  /**
   * Whether to rebuild when the log does not contain the events that the rows were made from, instead of refusing every
   * query.
   */
  readonly acceptLog?: boolean;
  /** How often to check whether missing keys are available again, in milliseconds; default 30 s. */
  readonly keyRetryMs?: number;
}

interface Handlers {
  /** Called with null when the rows belong to this log, else with the reason why they do not; they are left unchanged. */
  readonly onChecked: (mismatch: string | null) => void;
  readonly onCommitted: (changed: Changes) => void;
  /** Called at each failure. */
  readonly onLost: (reason: string) => void;
}

/** What follows the log. */
interface Follower {
  /** The open file. */
  readonly session: () => Session;
  /** Whether the rows have reached the head of the log and are not far behind it again. */
  readonly caughtUp: () => boolean;
  readonly failure: () => ReadModelsFailure | null;
  /** Starts over because of a fault that was found elsewhere. */
  readonly interrupt: (cause: unknown) => void;
  /** Resolves when no further event will be read. The file is left open. */
  readonly stopped: Promise<void>;
  readonly stop: () => void;
}

const largePage = 500;
const minPauseMs = 100;
const maxPauseMs = 5_000;

interface AttemptHandlers extends Pick<Handlers, 'onChecked' | 'onCommitted'> {
  /** Called with an event that no codec reads: the projections stop at it. */
  readonly onUnreadable: (event: UnreadableEvent) => void;
  /** Whether the rows are at the head of the log. */
  readonly onCaughtUp: (caughtUp: boolean) => void;
}

/** Projects a page in short transactions, each in a turn of the event loop of its own. */
const take = async (
  session: Session,
  page: Page,
  { onCommitted, onUnreadable }: AttemptHandlers,
  signal: AbortSignal,
): Promise<void> => {
  for (let done = 0; !signal.aborted;) {
    const { upTo, changes, unreadable } = session.apply(page, done);
    onCommitted(changes);
    if (unreadable !== null) return onUnreadable(unreadable);
    if (upTo >= page.events.length) return;
    done = upTo;
    await setImmediate();
  }
};

/** Checks that the rows can continue on this log, without scanning it; returns its head. */
const checkedHead = async (
  { store, acceptLog = false }: ReadModelsOptions,
  session: Session,
  onChecked: Handlers['onChecked'],
): Promise<Position | null> => {
  const head = orThrow(await store.head()());
  const mismatch = await mismatchOf(store, session.progress(), head);
  if (mismatch !== null && acceptLog) throw new DamagedFile(mismatch);
  onChecked(mismatch);
  if (mismatch !== null) throw new Error(mismatch);
  return head;
};

const reportInterval = 1_000;

/**
 * Logs the progress of catching up with a log that ends at `head`, at most one line a second. A short catch-up without a
 * rebuild is not logged.
 */
const reportProgress = (log: Log | undefined, head: Position | null, reason: string | null) => {
  let reportedAt = performance.now();
  let isLong = reason !== null && head !== null;
  let hasArrived = false;
  if (isLong) log?.info('the read models are being rebuilt from the log', { reason });
  return {
    advance: (position: Position): void => {
      if (hasArrived || performance.now() - reportedAt < reportInterval) return;
      reportedAt = performance.now();
      isLong = true;
      log?.info('the read models are catching up with the log', { position, head });
    },
    arrive: (): void => {
      if (isLong && !hasArrived) log?.info('the read models have caught up with the log');
      hasArrived = true;
    },
  };
};

/** Follows the log from the position of the rows until something fails or is aborted with the cause. */
const attempt = async (
  options: ReadModelsOptions,
  session: Session,
  rebuildReason: string | null,
  handlers: AttemptHandlers,
  ending: AbortController,
): Promise<void> => {
  const { store, log, keyRetryMs = 30_000 } = options;
  const { position } = session.progress();
  const head = await checkedHead(options, session, handlers.onChecked);
  if (ending.signal.aborted) return;
  const report = reportProgress(log, head, rebuildReason);
  const end = (cause: unknown): void => ending.abort(cause);
  const retryKeys = async (): Promise<void> => {
    if (await canBeOpened(store, session.progress().unopened))
      end(new DamagedFile('a key that was missing is there again'));
  };
  void retryKeys();
  const timer = setInterval(() => void retryKeys(), keyRetryMs).unref();
  const subscription = store.subscribe(
    position,
    {},
    {
      onPage: async (page) => {
        if (page.events.length >= largePage) handlers.onCaughtUp(false);
        await take(session, page, handlers, ending.signal);
        if (page.examined !== null) report.advance(page.examined);
      },
      onCaughtUp: () => {
        handlers.onCaughtUp(true);
        report.arrive();
      },
      onFailure: end,
    },
  );
  if (!ending.signal.aborted) await once(ending.signal, 'abort');
  clearInterval(timer);
  await subscription.close();
};

/**
 * Opens the file and follows the log, again after every failure, with a backoff. Each loss and recovery is logged once.
 * Throws when the file cannot be used at all.
 */
export const followLog = (options: ReadModelsOptions, { onChecked, onCommitted, onLost }: Handlers): Follower => {
  const { file, log } = options;
  const closing = new AbortController();
  const pauses = backoff(minPauseMs, maxPauseMs);
  let session = openSession(file);
  let { rebuildReason } = session;
  let running = new AbortController();
  let caughtUp = false;
  let failure: ReadModelsFailure | null = null;
  const end = (): void => {
    closing.abort();
    running.abort();
  };
  const lose = (cause: unknown): void => {
    const reason = reasonOf(cause);
    if (failure === null) log?.warn('the read models cannot follow the log', { reason });
    failure = { _tag: 'ReadModelsUnavailable', reason };
    onLost(reason);
  };
  const recoverFrom = (cause: unknown): void => {
    if (!isDamage(cause)) return lose(cause);
    try {
      session.close();
      session = openSession(file, reasonOf(cause));
      ({ rebuildReason } = session);
    } catch (worse) {
      lose(worse);
    }
  };
  const handlers: AttemptHandlers = {
    onCommitted,
    onCaughtUp: (now) => void (caughtUp = now),
    onChecked: (mismatch) => {
      onChecked(mismatch);
      if (mismatch !== null) return;
      if (failure !== null) log?.info('the read models follow the log again');
      failure = null;
      pauses.reset();
    },
    onUnreadable: (event) => {
      const { position, stream, revision, reason } = event;
      log?.error('the read models stop at an event that no codec reads', { position, stream, revision, reason });
      failure = event;
      onLost(reason);
      end();
    },
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      running = new AbortController();
      const following = attempt(options, session, rebuildReason, handlers, running);
      const cause = await following.then((): unknown => running.signal.reason, identity<unknown>);
      rebuildReason = null;
      caughtUp = false;
      if (closing.signal.aborted) break;
      recoverFrom(cause);
      await pause(pauses.next(), closing.signal);
    }
  };
  return {
    session: () => session,
    caughtUp: () => caughtUp,
    failure: () => failure,
    interrupt: (cause) => running.abort(cause),
    stopped: run(),
    stop: end,
  };
};
