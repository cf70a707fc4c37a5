import * as E from 'fp-ts/lib/Either.js';
import type {
  EventFilter,
  EventStore,
  StoreUnavailable,
  StoredEvent,
  AppendFailure,
  Appended,
  NewEvent,
} from '../../../application/ports/event-store.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type Subject, subjectOfStream } from '../../../domain/kernel/stream-name.js';

/** The erasures that the log records. */
export interface Erasures {
  /** When the medium or session of this stream was erased; null when it was not. */
  readonly at: (stream: string) => Promise<E.Either<StoreUnavailable, Timestamp | null>>;
  /** Records an event that was received from elsewhere, if it is an erasure. */
  readonly hear: (event: StoredEvent) => void;
}

/** The events that erase a medium; each is in the stream of that medium. */
const erasing: EventFilter = { types: storedVersions('MediumErased') };

const types = new Set(erasing.types);
const pageSize = 500;

const timeOf = ({ data }: Pick<StoredEvent, 'data'>): Timestamp | null => {
  const at: unknown = typeof data === 'object' && data !== null && 'at' in data ? data['at'] : null;
  return Timestamp.is(at) ? at : null;
};

export const isErasure = ({ type }: Pick<StoredEvent, 'type'>): boolean => types.has(type);

/** Caches the erasures it has seen; looks for others in the log. */
export const erasuresOf = (store: Pick<EventStore, 'readAll'>): Erasures => {
  const known = new Map<string, Timestamp>();
  let after: Position | null = null;
  const hear = (event: StoredEvent): void => {
    const at = isErasure(event) ? timeOf(event) : null;
    if (at !== null) known.set(event.stream, at);
  };
  const look = async (): Promise<E.Either<StoreUnavailable, void>> => {
    for (;;) {
      const page = await store.readAll(after, erasing, pageSize)();
      if (E.isLeft(page)) return page;
      page.right.events.forEach(hear);
      if (page.right.examined === null) return E.right(undefined);
      after = page.right.examined;
    }
  };
  return {
    hear,
    at: async (stream) => {
      const heard = known.get(stream);
      if (heard !== undefined) return E.right(heard);
      const looked = await look();
      return E.isLeft(looked) ? looked : E.right(known.get(stream) ?? null);
    },
  };
};

type Answer = E.Either<AppendFailure, Appended>;
type Append = EventStore['append'];

/** The pending appends to the streams of a medium, and its pending erasure, if any. */
interface PendingAppends {
  readonly running: Set<Promise<Answer>>;
  erasure: Promise<Timestamp | null> | null;
}

const pendingBySubject = () => {
  const pending = new Map<Subject, PendingAppends>();
  const pendingOf = (subject: Subject): PendingAppends => {
    const known = pending.get(subject) ?? { running: new Set(), erasure: null };
    pending.set(subject, known);
    return known;
  };
  const leave = (subject: Subject, { running, erasure }: PendingAppends): void => {
    if (running.size === 0 && erasure === null) pending.delete(subject);
  };
  return { pendingOf, leave };
};

/**
 * Ensures that nothing is written to the streams of a medium, including its evidence, after the event that erases it:
 * the erasure waits for pending appends, and later appends wait for the erasure. `onErased` is called before the
 * erasure is answered.
 */
export const withErasureBarrier = (append: Append, onErased: (subject: Subject) => void): Append => {
  const { pendingOf, leave } = pendingBySubject();
  const pass = async (subject: Subject, ...given: Parameters<Append>): Promise<Answer> => {
    let own = pendingOf(subject);
    // After an erasure that failed, another one may be pending.
    for (; own.erasure !== null; own = pendingOf(subject)) {
      const erased_at = await own.erasure;
      if (erased_at !== null) return E.left({ _tag: 'MediumErased', erased_at });
    }
    const running = append(...given)();
    own.running.add(running);
    return running.finally(() => {
      own.running.delete(running);
      leave(subject, own);
    });
  };
  const erase = async (subject: Subject, erasing: NewEvent, ...given: Parameters<Append>): Promise<Answer> => {
    const own = pendingOf(subject);
    const before = own.erasure ?? Promise.resolve(null);
    const outcome = before.then(async () => {
      await Promise.allSettled(own.running);
      return append(...given)();
    });
    const erasure = outcome.then(
      (answer) => {
        if (E.isLeft(answer)) return null;
        onErased(subject);
        return timeOf(erasing);
      },
      () => null,
    );
    own.erasure = erasure;
    try {
      return await outcome;
    } finally {
      if (own.erasure === erasure) own.erasure = null;
      leave(subject, own);
    }
  };
  return (stream, expected, events) => () => {
    const subject = subjectOfStream(stream);
    if (subject === null) return append(stream, expected, events)();
    const erasing = events.find(isErasure);
    return erasing === undefined
      ? pass(subject, stream, expected, events)
      : erase(subject, erasing, stream, expected, events);
  };
};
