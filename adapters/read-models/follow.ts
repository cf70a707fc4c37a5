import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { EventStore, Page, StoreUnavailable } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Progress } from './open-database.js';
import { DamagedFile, isDamage, reasonOf } from './sqlite.js';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { backoff } from '../../application/waiting.js';
import type { UnreadableEvent } from '../../application/failures.js';
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
 * last event may not be one of this service.
 */
const mismatchOf = (
  store: EventStore,
  { log_id, last }: Progress,
  head: Position | null,
): TE.TaskEither<StoreUnavailable, string | null> => {
  if (last === null) return TE.right(null);
  const expected = `they have seen the events up to position ${last.position}, the last of them ${last.id}`;
  if (head === null) return TE.right(`${expected}, but the log is empty`);
  return pipe(
    TE.Do,
    TE.bind('start', () => store.readAll(null, {}, 1)),
    TE.bind('there', () => store.at(last.position)),
    TE.map(({ start, there }) => {
      if (start.events[0]?.id !== log_id)
        return `${expected}, but the log is another one, which ends at position ${head}`;
      if (there?.id === last.id) return null;
      return head < last.position
        ? `${expected}, but the log ends at position ${head}`
        : `${expected}, but the log has another event there`;
    }),
  );
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
  /** Called when no further event will be read. */
  readonly onStopped: () => void;
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
  /** Resolves once nothing is running; the file is left open. */
  readonly stop: () => Promise<void>;
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
  const checked = await pipe(
    store.head(),
    TE.bindTo('head'),
    TE.bind('mismatch', ({ head }) => mismatchOf(store, session.progress(), head)),
  )();
  if (E.isLeft(checked)) throw checked.left;
  const { head, mismatch } = checked.right;
  if (mismatch !== null && acceptLog) throw new DamagedFile(mismatch);
  onChecked(mismatch);
  if (mismatch !== null) throw new Error(mismatch);
  return head;
};

const reportInterval = 1_000;

const percentOf = (from: Position | null, head: Position | null, position: Position): number | null => {
  const [start, end, now] = [Number(from ?? 0), Number(head), Number(position)];
  return end > start ? Math.min(100, Math.round(((now - start) / (end - start)) * 100)) : null;
};

/**
 * Logs the progress of catching up, at most one line a second. A short catch-up without a rebuild is not logged. The
 * percentage is null where it does not follow from the store's positions.
 */
const reportProgress = (log: Log | undefined, from: Position | null, head: Position | null, reason: string | null) => {
  const start = performance.now();
  let reportedAt = start;
  let events = 0;
  let isLong = reason !== null && head !== null;
  const speed = () => ({
    events,
    events_per_second: Math.round(events / Math.max(0.001, (performance.now() - start) / 1_000)),
  });
  if (isLong) log?.info('the read models are being rebuilt from the log', { reason });
  return {
    advance: (more: number, position: Position): void => {
      events += more;
      if (performance.now() - reportedAt < reportInterval) return;
      reportedAt = performance.now();
      isLong = true;
      log?.info('the read models follow the log', { position, percent: percentOf(from, head, position), ...speed() });
    },
    arrive: (): void => {
      if (isLong) log?.info('the read models have caught up with the log', speed());
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
  const report = reportProgress(log, position, head, rebuildReason);
  const end = (cause: unknown): void => ending.abort(cause);
  const retryKeys = async (): Promise<void> => {
    if (await canBeOpened(store, session.progress().unopened))
      end(new DamagedFile('a key that was missing is there again'));
  };
  void retryKeys();
  const timer = setInterval(() => void retryKeys(), keyRetryMs).unref();
  let arrived = false;
  const subscription = store.subscribe(
    position,
    {},
    {
      onPage: async (page) => {
        if (page.events.length >= largePage) handlers.onCaughtUp(false);
        await take(session, page, handlers, ending.signal).catch((cause: unknown) => {
          end(cause);
          throw cause;
        });
        if (!arrived && page.examined !== null) report.advance(page.events.length, page.examined);
      },
      onCaughtUp: () => {
        handlers.onCaughtUp(true);
        if (!arrived) report.arrive();
        arrived = true;
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
export const followLog = (
  options: ReadModelsOptions,
  { onChecked, onCommitted, onLost, onStopped }: Handlers,
): Follower => {
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
    onStopped();
  };
  const stopped = run();
  return {
    session: () => session,
    caughtUp: () => caughtUp,
    failure: () => failure,
    interrupt: (cause) => running.abort(cause),
    stop: () => {
      end();
      return stopped;
    },
  };
};
