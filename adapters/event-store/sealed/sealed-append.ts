import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { lruCache } from '../../../application/lru-cache.js';
import type { Json } from '../../../domain/kernel/json.js';
import type {
  AppendFailure,
  Appended,
  EventStore,
  NewEvent,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import { jsonLength } from '../../../domain/kernel/size.js';
import { isPersonal } from '../../../domain/personal-data.js';
import { nextTurn, startTurnTimer } from '../../runtime/event-loop.js';
import { sealLongText, sealText } from './sealed-text.js';
import { type KeyRing, nameOf } from './key-ring.js';

/** Events as they are in clear: what is appended here is read soon after, by several readers; what many read at once, too. */
export interface RecentEvents {
  /** The clear data of an event that was sealed like this; undefined when it is not remembered. */
  readonly find: (event: StoredEvent, sealed: string) => Json | undefined;
  readonly keep: (event: Pick<NewEvent, 'id' | 'type'>, stream: string, sealed: string, clear: Json) => void;
}

/** So many characters of what is remembered, as they are sealed. */
const recentCharacters = 2_000_000;

interface RecentEvent extends Pick<StoredEvent, 'stream' | 'type'> {
  readonly sealed: string;
  readonly clear: Json;
}

export const recentEvents = (): RecentEvents => {
  const recent = lruCache<RecentEvent>(recentCharacters, ({ sealed }) => sealed.length);
  return {
    find: ({ id, stream, type }, sealed) => {
      const known = recent.peek(id);
      return known?.sealed === sealed && known.stream === stream && known.type === type ? known.clear : undefined;
    },
    keep: ({ id, type }, stream, sealed, clear) => recent.set(id, { stream, type, sealed, clear }),
  };
};

/** Data whose JSON is longer, in characters, is compressed beside the event loop. */
const long = 100_000;
/** Sealing so many characters takes as long as one turn should. */
const veryLong = 1_000_000;
const isLong = ({ data, subjects = [] }: NewEvent): boolean => subjects.length > 0 && jsonLength(data, long) > long;

const withSealed = (event: NewEvent, sealed: string): NewEvent => {
  const { id, type, metadata, subjects = [] } = event;
  return { id, type, metadata, data: { sealed, key: nameOf(subjects), v: 2 } };
};

/** Nothing personal is ever stored in clear, whoever forgot to say whose it is. */
const unsealable = (events: ReadonlyArray<NewEvent>): NewEvent | undefined =>
  events.find(({ type, subjects = [] }) => isPersonal(type) && subjects.length === 0);

const sealing = (ring: KeyRing, keep: RecentEvents['keep']) => {
  const sealNow = (stream: string, events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> | null => {
    if (events.some(isLong)) return null;
    const sealed: NewEvent[] = [];
    for (const event of events) {
      const { subjects = [] } = event;
      const key = subjects.length === 0 ? null : ring.atHand(nameOf(subjects));
      if (key === undefined) return null;
      if (key === null) sealed.push(event);
      else {
        const text = sealText(event.data, key, { stream, ...event });
        // Only what is sealed with a key that nobody has forgotten meanwhile.
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
      const key = subjects.length === 0 ? E.right(null) : await ring.toSeal(subjects);
      if (E.isLeft(key)) return key;
      if (key.right === null) sealed.push(event);
      else {
        const seal = isLong(event) ? sealLongText : sealText;
        const text = await seal(event.data, key.right, { stream, ...event });
        sealed.push(withSealed(event, text));
        startTurnTimer();
        // It is hashed next, which takes as long.
        if (text.length > veryLong) await nextTurn();
      }
    }
    return E.right(sealed);
  };
  return { sealNow, sealLater };
};

/**
 * Seals the data of personal events before they are appended. Appends of one stream keep their order, also while one waits
 * for a key. What was sealed is told to `keep`, in clear.
 */
export const sealedAppend = (
  store: Pick<EventStore, 'append'>,
  ring: KeyRing,
  keep: RecentEvents['keep'],
): EventStore['append'] => {
  const { sealNow, sealLater } = sealing(ring, keep);
  const waiting = new Map<string, Promise<unknown>>();
  return (stream, expected, events) => async () => {
    const inClear = unsealable(events);
    if (inClear !== undefined) throw new Error(`${inClear.type} is personal, and it is not said whose it is`);
    const before = waiting.get(stream);
    const now = before === undefined ? sealNow(stream, events) : null;
    if (now !== null) return store.append(stream, expected, now)();
    // What is sent to the store in one turn keeps its order: the next append waits until this one was sent.
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
