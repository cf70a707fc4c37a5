import * as E from 'fp-ts/lib/Either.js';
import { chunksOf } from 'fp-ts/lib/ReadonlyArray.js';
import type { Change } from '../../projections/queries.js';
import { nextTurn } from '../runtime/event-loop.js';

type Result<Refused, Answer> = Promise<E.Either<Refused, Answer>>;

/** A query whose result is waited for. */
export interface PolledQuery<Refused, Answer> {
  readonly ask: () => Result<Refused, Answer>;
  readonly isReady: (answer: Answer) => boolean;
  /** The next change after which the query may have another result; null if there will be none. */
  readonly nextChange: () => Change | null;
}

/** A result for everyone who waits for a query. */
interface Notification<Refused, Answer> {
  readonly result: Result<Refused, Answer>;
  /** Resolves when all others are notified too, so that less urgent work can wait for that; null for a single waiter. */
  readonly othersNotified: Promise<void> | null;
}

type Listener<Refused, Answer> = (notification: Notification<Refused, Answer>) => void;

/** Everyone who waits for the same query. */
export interface SharedPoll<Refused, Answer> {
  /** Notifies the listener once, when the result is ready or can no longer change. Returns how to unsubscribe. */
  readonly subscribe: (listener: Listener<Refused, Answer>) => () => void;
  /** Runs the query now, once for all who ask in the same turn of the event loop. */
  readonly askNow: () => Result<Refused, Answer>;
}

/** This many listeners are notified in one turn of the event loop. */
const notifiedPerTurn = 256;

/** Handles each chunk in a turn of its own. */
const runInParts = async <Chunk>(chunks: ReadonlyArray<Chunk>, handle: (chunk: Chunk) => void): Promise<void> => {
  for (const chunk of chunks) {
    handle(chunk);
    // oxlint-disable-next-line no-await-in-loop -- the pause is the purpose
    await nextTurn();
  }
};

/** Notifies the listeners in chunks. Then resolves `othersNotified`, again chunk by chunk. */
const notify = async <Refused, Answer>(
  listeners: ReadonlyArray<Listener<Refused, Answer>>,
  waiting: Set<Listener<Refused, Answer>>,
  result: Result<Refused, Answer>,
): Promise<void> => {
  const resolvers: Array<() => void> = [];
  await runInParts(chunksOf(notifiedPerTurn)(listeners), (chunk) => {
    const othersNotified = listeners.length === 1 ? null : new Promise<void>((resolve) => resolvers.push(resolve));
    for (const listener of chunk) if (waiting.delete(listener)) listener({ result, othersNotified });
  });
  void runInParts(resolvers, (resolve) => resolve());
};

const sharedPoll = <Refused, Answer>(
  { ask, isReady, nextChange }: PolledQuery<Refused, Answer>,
  onEnd: () => void,
): SharedPoll<Refused, Answer> => {
  const waiting = new Set<Listener<Refused, Answer>>();
  let change: Change | null = null;
  let asked: Result<Refused, Answer> | null = null;
  let isWatching = false;
  const end = (): void => {
    change?.cancel();
    onEnd();
  };
  const isFinal = async (result: Result<Refused, Answer>): Promise<boolean> => {
    try {
      const answer = await result;
      return change === null || E.isLeft(answer) || isReady(answer.right);
    } catch {
      // The listeners get the rejected promise.
      return true;
    }
  };
  const watch = async (): Promise<void> => {
    // When the last listener has left, no further change is awaited.
    while (waiting.size > 0) {
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      await change?.happened;
      // Those who subscribe later ask for themselves. The next change is awaited before asking, so that none is missed.
      const listeners = [...waiting];
      change = nextChange();
      const result = ask();
      // oxlint-disable-next-line no-await-in-loop -- one change after the other
      if (await isFinal(result)) await notify(listeners, waiting, result);
    }
    end();
  };
  return {
    subscribe: (listener) => {
      waiting.add(listener);
      if (!isWatching) {
        isWatching = true;
        change = nextChange();
        void watch();
      }
      return () => {
        if (waiting.delete(listener) && waiting.size === 0) end();
      };
    },
    askNow: () => {
      if (asked === null) setImmediate(() => (asked = null));
      return (asked ??= ask());
    },
  };
};

/** Shares the polls of equal queries, by key: however many wait, a query is run once per change. */
export const sharedPolls = <Refused, Answer>(): ((
  key: string,
  query: PolledQuery<Refused, Answer>,
) => SharedPoll<Refused, Answer>) => {
  const polls = new Map<string, SharedPoll<Refused, Answer>>();
  return (key, query) => {
    const known = polls.get(key);
    if (known !== undefined) return known;
    const poll = sharedPoll(query, () => {
      if (polls.get(key) === poll) polls.delete(key);
    });
    polls.set(key, poll);
    return poll;
  };
};

interface LongPoll<Refused, Answer> extends Pick<PolledQuery<Refused, Answer>, 'ask' | 'isReady'> {
  /** The poll to share; called only if `timeoutMs` is above 0. */
  readonly shared: () => SharedPoll<Refused, Answer>;
  /** After how many milliseconds the result may be another without a change; null if only a change can alter it. */
  readonly expiresInMs: (answer: Answer) => number | null;
  readonly timeoutMs: number;
}

interface Polled<Answer> {
  readonly answer: Answer;
  /** Resolves when all others who waited for the same are notified; null if there are none. */
  readonly othersNotified: Promise<void> | null;
}

const polled = <Refused, Answer>(
  result: E.Either<Refused, Answer>,
  othersNotified: Promise<void> | null = null,
): E.Either<Refused, Polled<Answer>> => (E.isLeft(result) ? result : E.right({ answer: result.right, othersNotified }));

/** Waits until the result is ready; after `timeoutMs` returns it as it is. Runs no query between changes. */
export const longPoll = async <Refused, Answer>({
  ask,
  isReady,
  shared,
  expiresInMs,
  timeoutMs,
}: LongPoll<Refused, Answer>): Promise<E.Either<Refused, Polled<Answer>>> => {
  if (timeoutMs <= 0) return polled(await ask());
  const poll = shared();
  const deadline = performance.now() + timeoutMs;
  const waiter: { notification: Notification<Refused, Answer> | null; wake: (() => void) | null } = {
    notification: null,
    wake: null,
  };
  // Subscribes before asking, so that no change in between is missed.
  const unsubscribe = poll.subscribe((notification) => {
    waiter.notification = notification;
    waiter.wake?.();
  });
  const untilNotified = (maxMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      waiter.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    for (let result = ask(); ; result = poll.askNow()) {
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      const answer = await result;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || E.isLeft(answer) || isReady(answer.right)) return polled(answer);
      // oxlint-disable-next-line no-await-in-loop -- one query after the other
      if (waiter.notification === null) await untilNotified(Math.min(leftMs, expiresInMs(answer.right) ?? leftMs));
      if (waiter.notification !== null)
        return polled(await waiter.notification.result, waiter.notification.othersNotified);
    }
  } finally {
    unsubscribe();
  }
};
