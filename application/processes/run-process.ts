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

/** Reacts to every event that passes a filter, at least once, from a checkpoint. */
export interface Process {
  readonly name: string;
  readonly filter: EventFilter;
  /** How many events are handled at once. With 1 they are handled in order. */
  readonly concurrency: number;
  readonly react: (event: RecordedEvent<DomainEvent>) => TE.TaskEither<Failure, void>;
}

export interface RunningProcess {
  readonly name: string;
  /** Why it has stopped permanently; null while it runs. */
  readonly stoppedBy: () => string | null;
  readonly close: () => Promise<void>;
}

const minPauseMs = 100;
const maxPauseMs = 5_000;

const newBackoff = (): Backoff => backoff(minPauseMs, maxPauseMs);

export const describe = (failure: Failure): string =>
  failure._tag === 'UnreadableEvent'
    ? `unreadable event at ${failure.position} in ${failure.stream}: ${failure.reason}`
    : failure._tag;

/** Stops a process permanently. */
export class ProcessStopped extends Error {}

/** Reacts to an event, with retries until this succeeds or the process is closed. */
export const reactWithRetries = (app: Uses<'log'>, { name, react }: Process, isClosed: () => boolean) => {
  const persist = async (event: RecordedEvent<DomainEvent>, pauses = newBackoff()): Promise<void> => {
    const done = await react(event)();
    if (E.isRight(done) || isClosed()) return;
    if (done.left._tag === 'UnreadableEvent') throw new ProcessStopped(describe(done.left));
    app.log.warn('process retries', { process: name, position: event.position, failure: describe(done.left) });
    await T.delay(pauses.next())(T.of(undefined))();
    await persist(event, pauses);
  };
  return (event: RecordedEvent<DomainEvent>): Promise<void> => persist(event);
};

/** Tracks up to which position all work is done, when work starts in order but ends in any order. */
const trackProgress = () => {
  const started: Array<{ readonly position: Position | null; isDone: boolean }> = [];
  return {
    /** Returns a function to call when this work is done. */
    begin: (position: Position | null) => {
      const one = { position, isDone: false };
      started.push(one);
      return () => {
        one.isDone = true;
      };
    },
    /** The position up to which everything is done; null if that has not changed since the last call. */
    reached: (): Position | null => {
      let position: Position | null = null;
      for (; started[0]?.isDone === true; started.shift()) position = started[0].position ?? position;
      return position;
    },
  };
};

/**
 * Handles the events of pages, up to `concurrency` at once. A slow event does not hold up later ones, unless `concurrency`
 * is 1. Saves the position up to which all events are done as the checkpoint.
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
  const persist = reactWithRetries(app, process, isClosed);
  const running = new Set<Promise<void>>();
  const { begin, reached } = trackProgress();
  let saved = Promise.resolve();

  const handle = (stored: StoredEvent): Promise<void> => {
    const event = readEvent(stored);
    if (E.isLeft(event)) return Promise.reject(new ProcessStopped(describe(event.left)));
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
      .finally(() => running.delete(handled));
    running.add(handled);
  };
  return {
    handle: async ({ events, examined }: Page): Promise<void> => {
      for (const stored of events) {
        if (isClosed() || failed) return;
        start(stored);
        if (running.size >= concurrency) await Promise.race(running);
      }
      if (concurrency === 1) await Promise.all(running);
      begin(examined)();
      await save();
    },
    /** Resolves when no event is being handled. */
    idle: () => Promise.all(running).then(constVoid),
  };
};

/** Runs a process until it is closed. Retries while the store fails; an event that no codec accepts stops it. */
export const runProcess = (app: Uses<'log' | 'store'>, checkpoints: Checkpoints, process: Process): RunningProcess => {
  const { name, filter } = process;
  let closed = false;
  let stopped: string | null = null;
  let subscription: Subscription | null = null;
  let pages: ReturnType<typeof pageHandler> | null = null;

  const pauses = newBackoff();
  const onFailure = (failure: unknown): void => {
    if (failure instanceof ProcessStopped) {
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
      await pages?.idle();
    },
  };
};
