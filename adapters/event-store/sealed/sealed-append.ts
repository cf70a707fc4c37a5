import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { AppendFailure, Appended, EventStore, NewEvent } from '../../../application/ports/event-store.js';
import { jsonLength } from '../../../domain/kernel/json-length.js';
import { isPersonal } from '../../../domain/personal-data.js';
import { sealLongText, sealText } from './sealed-text.js';
import { nextTurn, workBegins } from '../../runtime/event-loop.js';
import { type KeyRing, nameOf } from './key-ring.js';
import type { RecentEvents } from './sealed-store.js';

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
        workBegins();
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
