import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { type Backoff, backoff } from '../backoff.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { EventFilter, Page, StoredEvent, Subscription } from '../ports/event-store.js';
import { readEvent } from '../read-event.js';

/** Something that reacts to every event of a kind, at least once and in order, from where it left off. */
export interface Process {
  readonly name: string;
  readonly filter: EventFilter;
  /** How many events are handled at the same time; 1 keeps their order. */
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

/** Handles pages of events, each slice after the other. */
const pageHandler = (app: Uses<'log'>, checkpoints: Checkpoints, process: Process, isClosed: () => boolean) => {
  const { name, concurrency } = process;
  const persist = persistently(app, process, isClosed);

  const handle = (stored: StoredEvent): Promise<void> => {
    const event = readEvent(stored);
    if (E.isLeft(event)) throw new Stopped(describe(event.left));
    return persist(event.right);
  };

  const handleFrom = async (events: ReadonlyArray<StoredEvent>, index: number): Promise<void> => {
    if (index >= events.length || isClosed()) return;
    await Promise.all(events.slice(index, index + concurrency).map(handle));
    await handleFrom(events, index + concurrency);
  };

  return async ({ events, examined }: Page): Promise<void> => {
    await handleFrom(events, 0);
    if (examined !== null && !isClosed()) await checkpoints.save(name, examined)();
  };
};

/** Runs a process until it is closed. A failing store is waited for; an event that no codec reads stops it for good. */
export const runProcess = (app: Uses<'log' | 'store'>, checkpoints: Checkpoints, process: Process): RunningProcess => {
  const { name, filter } = process;
  let closed = false;
  let stopped: string | null = null;
  let subscription: Subscription | null = null;
  const onPage = pageHandler(app, checkpoints, process, () => closed);

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
          subscription = app.store.subscribe(after, filter, {
            onPage: async (page) => {
              await onPage(page);
              pauses.reset();
            },
            onFailure,
          });
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
    },
  };
};
