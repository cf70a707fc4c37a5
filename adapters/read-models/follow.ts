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
import type { Changes, Session } from './session.js';

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

export interface FollowerSettings {
  readonly store: EventStore;
  readonly log: Log | undefined;
  /** The open file. */
  readonly session: () => Session;
  /** Replaces the file by an empty one. May throw. */
  readonly rebuild: (reason: string) => void;
  /** Whether to rebuild the read models when the log does not contain the events they were made from. */
  readonly acceptLog: boolean;
  /** How often to check whether missing keys are available again. */
  readonly keyRetryMs: number;
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
  /** Whether the rows have reached the head of the log and are not far behind it again. */
  readonly caughtUp: () => boolean;
  readonly failure: () => ReadModelsFailure | null;
  /** Starts over because of a fault that was found elsewhere. */
  readonly interrupt: (cause: unknown) => void;
  /** Resolves once nothing is running. */
  readonly close: () => Promise<void>;
}

/** An event that no codec reads; the projections stop at it. */
class UnreadableEventFound extends Error {
  override readonly name = 'UnreadableEventFound';
  readonly event: UnreadableEvent;
  constructor(event: UnreadableEvent) {
    super(event.reason);
    this.event = event;
  }
}

const largePage = 500;
const minPauseMs = 100;
const maxPauseMs = 5_000;

/** Projects a page in short transactions, each in a turn of the event loop of its own. */
const take = async (
  session: Session,
  page: Page,
  onCommitted: FollowerSettings['onCommitted'],
  signal: AbortSignal,
): Promise<void> => {
  for (let done = 0; !signal.aborted;) {
    const { upTo, changes, unreadable } = session.apply(page, done);
    onCommitted(changes);
    if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    if (upTo >= page.events.length) return;
    done = upTo;
    await setImmediate();
  }
};

/** Checks that the rows can continue on this log, without scanning it; returns its head. */
const checkedHead = async (
  { store, acceptLog, onChecked }: FollowerSettings,
  session: Session,
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

/**
 * Follows the log from the position of the rows until something fails or the signal is aborted; resolves with the cause.
 * `onCaughtUp` tells whether the rows are at its head.
 */
const attempt = async (
  settings: FollowerSettings,
  rebuildReason: string | null,
  onCaughtUp: (caughtUp: boolean) => void,
  signal: AbortSignal,
): Promise<unknown> => {
  const { store, log, keyRetryMs } = settings;
  const session = settings.session();
  const { position } = session.progress();
  const head = await checkedHead(settings, session);
  if (signal.aborted) return signal.reason;
  const report = reportProgress(log, position, head, rebuildReason);
  const ended = new AbortController();
  const end = (cause: unknown): void => ended.abort(cause);
  signal.addEventListener('abort', () => end(signal.reason), { once: true });
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
        if (page.events.length >= largePage) onCaughtUp(false);
        await take(session, page, settings.onCommitted, ended.signal).catch((cause: unknown) => {
          end(cause);
          throw cause;
        });
        if (!arrived && page.examined !== null) report.advance(page.events.length, page.examined);
      },
      onCaughtUp: () => {
        onCaughtUp(true);
        if (!arrived) report.arrive();
        arrived = true;
      },
      onFailure: end,
    },
  );
  if (!ended.signal.aborted) await once(ended.signal, 'abort');
  clearInterval(timer);
  await subscription.close();
  return ended.signal.reason;
};

/** Follows the log, and again after every failure, with a backoff. Each loss and recovery is logged once. */
export const followLog = (settings: FollowerSettings): Follower => {
  const { log, onLost, onStopped } = settings;
  const closing = new AbortController();
  const pauses = backoff(minPauseMs, maxPauseMs);
  let running = new AbortController();
  let caughtUp = false;
  let failure: ReadModelsFailure | null = null;
  const recovered = (mismatch: string | null): void => {
    settings.onChecked(mismatch);
    if (mismatch !== null) return;
    if (failure !== null) log?.info('the read models follow the log again');
    failure = null;
    pauses.reset();
  };
  const lose = (cause: unknown): void => {
    const reason = reasonOf(cause);
    if (failure === null) log?.warn('the read models cannot follow the log', { reason });
    failure = { _tag: 'ReadModelsUnavailable', reason };
    onLost(reason);
  };
  const stop = (event: UnreadableEvent): void => {
    const { position, stream, revision, reason } = event;
    log?.error('the read models stop at an event that no codec reads', { position, stream, revision, reason });
    failure = event;
    onLost(reason);
  };
  const recoverFrom = (cause: unknown): void => {
    try {
      if (isDamage(cause)) return settings.rebuild(reasonOf(cause));
      settings.session().forget();
      lose(cause);
    } catch (worse) {
      lose(worse);
    }
  };
  const setCaughtUp = (now: boolean): void => void (caughtUp = now);
  let last: Session | null = null;
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      running = new AbortController();
      const signal = AbortSignal.any([running.signal, closing.signal]);
      const session = settings.session();
      const reason = session === last ? null : session.rebuildReason;
      last = session;
      const following = attempt({ ...settings, onChecked: recovered }, reason, setCaughtUp, signal);
      const cause = await following.catch(identity<unknown>);
      caughtUp = false;
      if (closing.signal.aborted) break;
      if (cause instanceof UnreadableEventFound) {
        stop(cause.event);
        break;
      }
      recoverFrom(cause);
      await pause(pauses.next(), closing.signal);
    }
    onStopped();
  };
  const stopped = run();
  return {
    caughtUp: () => caughtUp,
    failure: () => failure,
    interrupt: (cause) => running.abort(cause),
    close: () => {
      closing.abort();
      return stopped;
    },
  };
};
