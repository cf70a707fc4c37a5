import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { type Backoff, backoff } from '../backoff.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { EventFilter, Page, StoredEvent, Subscription } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

/** Something that reacts to every event of a kind, at least once and in order, from where it left off. */
export interface Process {
  readonly name: string;
  readonly filter: EventFilter;
  /** How many events are handled at the same time; 1 keeps their order, else one that takes long is overtaken. */
  readonly concurrency: number;
  readonly react: (event: RecordedEvent<DomainEvent>) => TE.TaskEither<Failure, void>;
}

export interface RunningProcess {
  readonly name: string;
  /** What it has stopped at for good; null while it runs. */
  readonly stoppedBy: () => string | null;
  readonly close: () => Promise<void>;
}

const shortestPause = 100;
const longestPause = 5_000;

const usualBackoff = (): Backoff => backoff(shortestPause, longestPause);

export const describe = (failure: Failure): string =>
  failure._tag === 'UnreadableEvent'
    ? `unreadable event at ${failure.position} in ${failure.stream}: ${failure.reason}`
    : failure._tag;

/** What a process stops at for good. */
export class Stopped extends Error {}

/** Reacts to an event until that has succeeded or the process is closed; a failing store is waited for. */
export const persistently = (app: Uses<'log'>, { name, react }: Process, isClosed: () => boolean) => {
  const persist = async (event: RecordedEvent<DomainEvent>, pauses = usualBackoff()): Promise<void> => {
    const done = await react(event)();
    if (E.isRight(done) || isClosed()) return;
    if (done.left._tag === 'UnreadableEvent') throw new Stopped(describe(done.left));
    app.log.warn('process waits', { process: name, position: event.position, failure: describe(done.left) });
    await T.delay(pauses.next())(T.of(undefined))();
    await persist(event, pauses);
  };
  return (event: RecordedEvent<DomainEvent>): Promise<void> => persist(event);
};

/** How far everything is done, of what was begun in order and is done in any. */
const doneInOrder = () => {
  const begun: Array<{ readonly position: Position | null; isDone: boolean }> = [];
  return {
    /** Answers how to tell that it is done. */
    begin: (position: Position | null) => {
      const one = { position, isDone: false };
      begun.push(one);
      return () => {
        one.isDone = true;
      };
    },
    /** The last position up to which everything is done, where that is another than the last time; else null. */
    reached: (): Position | null => {
      let position: Position | null = null;
      for (; begun[0]?.isDone === true; begun.shift()) position = begun[0].position ?? position;
      return position;
    },
  };
};

/**
 * Handles events as they come, so many at a time: where that is one, in their order. What takes long holds up none that
 * comes after it, in this page or the next. The checkpoint is where everything before it is done.
 */
const pageHandler = (
  app: Uses<'log'>,
  checkpoints: Checkpoints,
  process: Process,
  isClosed: () => boolean,
  onFailure: (cause: unknown) => void,
) => {
  const { name, concurrency } = process;
  let failed = false;
  const fail = (cause: unknown): void => {
    if (!failed) onFailure(cause);
    failed = true;
  };
  const persist = persistently(app, process, isClosed);
  const underWay = new Set<Promise<void>>();
  const { begin, reached } = doneInOrder();
  let saved = Promise.resolve();

  const handle = (stored: StoredEvent): Promise<void> => {
    const event = readEvent(stored);
    if (E.isLeft(event)) return Promise.reject(new Stopped(describe(event.left)));
    return persist(event.right);
  };
  const save = (): Promise<void> => {
    const position = isClosed() || failed ? null : reached();
    if (position !== null) saved = saved.then(() => checkpoints.save(name, position)()).then(constVoid);
    return saved;
  };
  const start = (stored: StoredEvent): void => {
    const done = begin(null);
    const handled = handle(stored)
      .then(done)
      .then(save)
      .catch(fail)
      .finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  return {
    handle: async ({ events, examined }: Page): Promise<void> => {
      for (const stored of events) {
        if (isClosed() || failed) return;
        start(stored);
        if (underWay.size >= concurrency) await Promise.race(underWay);
      }
      if (concurrency === 1) await Promise.all(underWay);
      begin(examined)();
      await save();
    },
    /** Resolves once nothing is under way. */
    settled: () => Promise.all(underWay).then(constVoid),
  };
};

/** Runs a process until it is closed. A failing store is waited for; an event that no codec reads stops it for good. */
export const runProcess = (app: Uses<'log' | 'store'>, checkpoints: Checkpoints, process: Process): RunningProcess => {
  const { name, filter } = process;
  let closed = false;
  let stopped: string | null = null;
  let subscription: Subscription | null = null;
  let pages: ReturnType<typeof pageHandler> | null = null;

  const pauses = usualBackoff();
  const onFailure = (failure: unknown): void => {
    if (failure instanceof Stopped) {
      stopped = failure.message;
      app.log.error('process stopped', { process: name, reason: stopped });
      return;
    }
    app.log.warn('process restarts', { process: name, reason: String(failure) });
    setTimeout(() => void start(), pauses.next()).unref();
  };

  const start = (): Promise<void> =>
    pipe(
      checkpoints.load(name),
      TE.match(
        ({ reason }) => onFailure(reason),
        (after) => {
          if (closed) return;
          const onFailed = (cause: unknown): void => {
            void followed.close();
            onFailure(cause);
          };
          const handler = pageHandler(app, checkpoints, process, () => closed, onFailed);
          const followed = app.store.subscribe(after, filter, {
            onPage: async (page) => {
              await handler.handle(page);
              pauses.reset();
            },
            onFailure,
          });
          [subscription, pages] = [followed, handler];
        },
      ),
    )();

  void start();
  return {
    name,
    stoppedBy: () => stopped,
    close: async () => {
      closed = true;
      await subscription?.close();
      await pages?.settled();
    },
  };
};
