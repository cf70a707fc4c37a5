import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../domain/kernel/json.js';
import type {
  AppendFailure,
  Appended,
  EventStore,
  NewEvent,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import { jsonLength } from '../../runtime/json-size.js';
import { isPersonal } from '../../../domain/personal-data.js';
import { nextTurn, startTurnTimer } from '../../runtime/event-loop.js';
import { isSealed } from './sealed-data.js';
import { sealLongText, sealText } from './sealed-text.js';
import { type KeyRing, nameOf } from './key-ring.js';

/**
 * An LRU cache of events in clear: events appended here are read soon afterwards by several readers, and large events
 * may be read by many at once.
 */
export interface ClearEventCache {
  /** The clear data of an event sealed as `sealed`; undefined when it is not cached. */
  readonly find: (event: StoredEvent, sealed: string) => Json | undefined;
  readonly keep: (event: Pick<NewEvent, 'id' | 'type'>, stream: string, sealed: string, clear: Json) => void;
}

/** The capacity, in characters of sealed data. */
const maxCachedCharacters = 2_000_000;

interface CachedEvent extends Pick<StoredEvent, 'stream' | 'type'> {
  readonly sealed: string;
  readonly clear: Json;
}

export const clearEventCache = (): ClearEventCache => {
  const cache = new LRUCache<string, CachedEvent>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ sealed }) => Math.max(1, sealed.length),
  });
  return {
    find: ({ id, stream, type }, sealed) => {
      const known = cache.peek(id);
      return known?.sealed === sealed && known.stream === stream && known.type === type ? known.clear : undefined;
    },
    keep: ({ id, type }, stream, sealed, clear) => void cache.set(id, { stream, type, sealed, clear }),
  };
};

/** Longer data, in characters of JSON, is compressed on another thread. */
const long = 100_000;
/** Sealing this many characters takes as long as one turn of the event loop should. */
const veryLong = 1_000_000;
const isLong = ({ data, subjects = [] }: NewEvent): boolean => subjects.length > 0 && jsonLength(data, long) > long;

const withSealed = (event: NewEvent, sealed: string): NewEvent => {
  const { id, type, metadata, subjects = [] } = event;
  return { id, type, metadata, data: { sealed, key: nameOf(subjects), v: 2 } };
};

/**
 * Personal data is never stored in clear, even if the caller forgot to name its subjects. What is sealed already, as in a
 * copied log, is stored as it is.
 */
const withoutSubject = (events: ReadonlyArray<NewEvent>): NewEvent | undefined =>
  events.find(({ type, data, subjects = [] }) => isPersonal(type) && subjects.length === 0 && !isSealed(data));

const sealing = (ring: KeyRing, keep: ClearEventCache['keep']) => {
  const sealNow = (stream: string, events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> | null => {
    if (events.some(isLong)) return null;
    const sealed: NewEvent[] = [];
    for (const event of events) {
      const { subjects = [] } = event;
      const key = subjects.length === 0 ? null : ring.cached(nameOf(subjects));
      if (key === undefined) return null;
      if (key === null) sealed.push(event);
      else {
        const text = sealText(event.data, key, { stream, ...event });
        // Only cached with a key that was not dropped in the meantime.
        keep(event, stream, text, event.data);
        sealed.push(withSealed(event, text));
      }
    }
    return sealed;
  };
  const sealLater = async (
    stream: string,
    events: ReadonlyArray<NewEvent>,
  ): Promise<E.Either<AppendFailure, ReadonlyArray<NewEvent>>> => {
    const sealed: NewEvent[] = [];
    for (const event of events) {
      const { subjects = [] } = event;
      const key = subjects.length === 0 ? E.right(null) : await ring.sealingKey(subjects);
      if (E.isLeft(key)) return key;
      if (key.right === null) sealed.push(event);
      else {
        const seal = isLong(event) ? sealLongText : sealText;
        const text = await seal(event.data, key.right, { stream, ...event });
        sealed.push(withSealed(event, text));
        startTurnTimer();
        // Hashing it, which comes next, takes as long.
        if (text.length > veryLong) await nextTurn();
      }
    }
    return E.right(sealed);
  };
  return { sealNow, sealLater };
};

/**
 * Seals the data of personal events before they are appended. Appends to one stream keep their order, even while one
 * waits for a key. `keep` receives the clear data of what was sealed.
 */
export const sealedAppend = (
  store: Pick<EventStore, 'append'>,
  ring: KeyRing,
  keep: ClearEventCache['keep'],
): EventStore['append'] => {
  const { sealNow, sealLater } = sealing(ring, keep);
  const waiting = new Map<string, Promise<unknown>>();
  return (stream, expected, events) => async () => {
    const inClear = withoutSubject(events);
    if (inClear !== undefined) throw new Error(`${inClear.type} is a personal event without subjects`);
    const before = waiting.get(stream);
    const now = before === undefined ? sealNow(stream, events) : null;
    if (now !== null) return store.append(stream, expected, now)();
    // Appends that reach the store in the same turn keep their order, so the next append waits until this one was sent.
    const sent = (before ?? Promise.resolve()).then(async () => {
      const sealed = await sealLater(stream, events);
      const answer: Promise<E.Either<AppendFailure, Appended>> = E.isLeft(sealed)
        ? Promise.resolve(sealed)
        : store.append(stream, expected, sealed.right)();
      return { answer };
    });
    const done = sent.then(constVoid, constVoid).then(() => {
      if (waiting.get(stream) === done) waiting.delete(stream);
    });
    waiting.set(stream, done);
    return (await sent).answer;
  };
};
