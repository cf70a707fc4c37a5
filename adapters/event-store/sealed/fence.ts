import * as E from 'fp-ts/lib/Either.js';
import type { AppendFailure, Appended, EventStore, NewEvent } from '../../../application/ports/event-store.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { type Subject, subjectOfStream } from '../../../domain/kernel/subject.js';
import { isErasure, timeOf } from './erasures.js';

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
