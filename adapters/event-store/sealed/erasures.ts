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

/** What the log says was erased. */
export interface Erasures {
  /** When the medium or session of this stream was erased; null when it was not. */
  readonly at: (stream: string) => Promise<E.Either<StoreUnavailable, Timestamp | null>>;
  /** Takes note of an event that was heard of. */
  readonly hear: (event: StoredEvent) => void;
}

/** The events by which a medium is erased; each is in the stream of that medium. */
const erasing: EventFilter = { types: storedVersions('MediumErased') };

const types = new Set(erasing.types);
const pageSize = 500;

const timeOf = ({ data }: Pick<StoredEvent, 'data'>): Timestamp | null => {
  const at: unknown = typeof data === 'object' && data !== null && 'at' in data ? data['at'] : null;
  return Timestamp.is(at) ? at : null;
};

export const isErasure = ({ type }: Pick<StoredEvent, 'type'>): boolean => types.has(type);

/** Knows the erasures that it was asked for; what it does not know it looks for in the log. */
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

/** Appends to a medium's streams that are under way, and its erasure, if that is. */
interface Traffic {
  readonly running: Set<Promise<Answer>>;
  erasure: Promise<Timestamp | null> | null;
}

const trafficBySubject = () => {
  const traffic = new Map<Subject, Traffic>();
  const trafficOf = (subject: Subject): Traffic => {
    const known = traffic.get(subject) ?? { running: new Set(), erasure: null };
    traffic.set(subject, known);
    return known;
  };
  const leave = (subject: Subject, { running, erasure }: Traffic): void => {
    if (running.size === 0 && erasure === null) traffic.delete(subject);
  };
  return { trafficOf, leave };
};

/**
 * Lets nothing be written to the streams of a medium, its evidence included, after the event that erases it: the erasure
 * waits for what is under way, and what comes meanwhile waits for the erasure. `onErased` is told of it first.
 */
export const fenced = (append: EventStore['append'], onErased: (subject: Subject) => void): EventStore['append'] => {
  const { trafficOf, leave } = trafficBySubject();
  const pass = async (subject: Subject, ...given: Parameters<EventStore['append']>): Promise<Answer> => {
    const own = trafficOf(subject);
    const erased_at = own.erasure === null ? null : await own.erasure;
    if (erased_at !== null) return E.left({ _tag: 'MediumErased', erased_at });
    const running = append(...given)();
    own.running.add(running);
    return running.finally(() => {
      own.running.delete(running);
      leave(subject, own);
    });
  };
  const erase = async (
    subject: Subject,
    erasing: NewEvent,
    ...given: Parameters<EventStore['append']>
  ): Promise<Answer> => {
    const own = trafficOf(subject);
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
