import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { backoff, keyedQueue } from '../../../application/waiting.js';
import type {
  AppendFailure,
  EventStore,
  NewEvent,
  Page,
  StoreUnavailable,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import type { OnErasure, KeyVault, PersonalKeys } from '../../../application/ports/key-vault.js';
import { categories, eventTypes, isErasing, storedVersions, isPersonal } from '../../../domain/event-catalogue.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import { type Subject, subjectOfStream } from '../../../domain/kernel/recorded-event.js';
import { forgetLastMatch } from '../../runtime/memory.js';
import { isSealed, openText, sealText, sealedForm } from './sealed-data.js';
import { type SubjectKeys, nameOf, subjectKeys } from './subject-keys.js';

export interface SealedStore {
  /** The log as the application sees it: data is in clear, or withheld. */
  readonly store: EventStore;
  readonly keys: PersonalKeys;
  readonly onErasure: OnErasure;
  /** Opens events, retrying while the vault is unavailable; null once `isClosed` returns true. */
  readonly openWithRetry: (
    events: ReadonlyArray<StoredEvent>,
    isClosed: () => boolean,
  ) => Promise<ReadonlyArray<StoredEvent> | null>;
  /** Why the log as it is stored cannot be read, and what to do; null if it can be read. */
  readonly unreadable: () => Promise<E.Either<StoreUnavailable, string | null>>;
}

type Opened = E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>;

/** Why sealed data of another form is not read, and what to do. */
const otherForm = ({ position, data }: StoredEvent): string | null =>
  isSealed(data) && data.v !== sealedForm
    ? `the event log cannot be read at position ${position}: its data is encrypted in form ${data.v}, and this version of ` +
      `the service reads form ${sealedForm} alone. Nothing was changed. Use the version that wrote it, or another DATA_DIR`
    : null;

/** An event with its data opened by the key, or with the reason why it cannot be opened. */
const openWith = (key: Uint8Array | MediumErased | 'key_missing', event: StoredEvent, sealed: string): StoredEvent => {
  if (key === 'key_missing') return { ...event, data: {}, withheld: key };
  if ('_tag' in key) return { ...event, data: {}, withheld: 'erased', erased_at: key.erased_at };
  const data = openText(sealed, key, event);
  return data === null ? { ...event, data: {}, withheld: 'key_missing' } : { ...event, data };
};

/** The reading part of the log, which opens what is sealed. */
const opener = (stored: EventStore, keys: SubjectKeys) => {
  /** Throws on data of another form. */
  const openAll = async (events: ReadonlyArray<StoredEvent>): Promise<Opened> => {
    const opened: StoredEvent[] = [];
    for (const event of events) {
      const { data } = event;
      if (isSealed(data)) {
        const unreadable = otherForm(event);
        if (unreadable !== null) throw new Error(unreadable);
        const key = await keys.toOpen(data.key);
        if (E.isLeft(key)) return key;
        opened.push(openWith(key.right, event, data.sealed));
      } else opened.push(event);
    }
    return E.right(opened);
  };
  const open = (events: ReadonlyArray<StoredEvent>): Promise<Opened> =>
    openAll(events).catch((cause: unknown) =>
      E.left({ _tag: 'StoreUnavailable', reason: cause instanceof Error ? cause.message : String(cause) }),
    );
  const openWithRetry: SealedStore['openWithRetry'] = async (events, isClosed) => {
    for (const pauses = backoff(100, 5_000); !isClosed(); await setTimeout(pauses.next())) {
      const opened = await openAll(events);
      if (E.isRight(opened)) return opened.right;
    }
    return null;
  };
  const read: EventStore['read'] =
    (...wanted) =>
    async () => {
      const found = await stored.read(...wanted)();
      return E.isLeft(found) ? found : open(found.right);
    };
  const readAll: EventStore['readAll'] =
    (...wanted) =>
    async () => {
      const page = await stored.readAll(...wanted)();
      if (E.isLeft(page)) return page;
      return E.map((events: Page['events']) => ({ ...page.right, events }))(await open(page.right.events));
    };
  const at: EventStore['at'] = (position) => async () => {
    const found = await stored.at(position)();
    if (E.isLeft(found) || found.right === null) return found;
    return E.map((events: ReadonlyArray<StoredEvent>) => events[0] ?? null)(await open([found.right]));
  };
  return { read, readAll, at, openWithRetry };
};

type Append = EventStore['append'];
type Sealed = E.Either<AppendFailure, ReadonlyArray<NewEvent>>;

/** Seals the data of events that have subjects. */
const sealAll = async (keys: SubjectKeys, stream: string, events: ReadonlyArray<NewEvent>): Promise<Sealed> => {
  const sealed: NewEvent[] = [];
  for (const event of events) {
    const { id, type, metadata, subjects = [] } = event;
    if (subjects.length > 0) {
      const key = await keys.toSeal(subjects);
      if (E.isLeft(key)) return key;
      const text = sealText(event.data, key.right, { stream, id, type });
      sealed.push({ id, type, metadata, data: { sealed: text, key: nameOf(subjects), v: sealedForm } });
    } else if (isPersonal(type) && !isSealed(event.data))
      // A caller that forgot the subjects. What is sealed already, as in a copied log, is stored as it is.
      throw new Error(`${type} is a personal event without subjects`);
    else sealed.push(event);
  }
  return E.right(sealed);
};

/** Runs tasks about the same subject one after the other. Queues are joined in one order, so none waits for another. */
const subjectQueue = () => {
  const queue = keyedQueue();
  return <A>(subjects: ReadonlyArray<Subject>, task: () => Promise<A>): (() => Promise<A>) =>
    [...new Set(subjects)].toSorted().reduceRight((next, subject) => queue.run(subject, next), task);
};

const personal = { categories, types: eventTypes.filter(isPersonal).flatMap(storedVersions) };

/**
 * A log whose personal data is sealed with the keys of a vault before it is appended, and opened when it is read.
 * `stored` is the log as it is stored, of which the hashes are made. An erasure, and then the end of the key, wait for
 * appends about their subject; later appends wait for them, and are refused. `onMissingKey` is called when data cannot
 * be opened because the key of a subject is missing.
 */
export const sealedLog = (
  stored: EventStore,
  vault: KeyVault,
  onMissingKey?: (subject: string) => void,
): SealedStore => {
  const keys = subjectKeys(vault, stored, onMissingKey);
  const { read, readAll, at, openWithRetry } = opener(stored, keys);
  const inTurn = subjectQueue();
  const listeners: Array<() => void> = [];
  const forget = (subject: Subject): void => {
    keys.forget(subject);
    forgetLastMatch();
  };
  const forgetErased = (stream: string, type: string): void => {
    const subject = isErasing(type) ? subjectOfStream(stream) : null;
    if (subject !== null) forget(subject);
  };
  const append: Append = (stream, expected, events) => {
    const own = subjectOfStream(stream);
    const subjects = [...(own === null ? [] : [own]), ...events.flatMap((event) => event.subjects ?? [])];
    return inTurn(subjects, async () => {
      const sealed = await sealAll(keys, stream, events);
      if (E.isLeft(sealed)) return sealed;
      const answer = await stored.append(stream, expected, sealed.right)();
      if (E.isRight(answer)) events.forEach(({ type }) => forgetErased(stream, type));
      return answer;
    });
  };
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) => {
    let closed = false;
    const subscription = stored.subscribe(after, filter, {
      ...handlers,
      onPage: async (page) => {
        // Another instance may have written the erasure.
        page.events.forEach(({ stream, type }) => forgetErased(stream, type));
        if (page.events.some(({ type }) => isErasing(type))) listeners.forEach((listener) => listener());
        const events = await openWithRetry(page.events, () => closed);
        if (events !== null) await handlers.onPage({ ...page, events });
      },
    });
    return {
      close: () => {
        closed = true;
        return subscription.close();
      },
    };
  };
  /** The first personal event tells whether a log is sealed and in which form: neither changes in a log. */
  const first = async (): Promise<E.Either<StoreUnavailable, StoredEvent | undefined>> =>
    E.map(({ events }: Page) => events[0])(await stored.readAll(null, personal, 1)());
  return {
    store: { ...stored, append, read, readAll, at, subscribe },
    keys: {
      erase: (subject) =>
        inTurn([subject], () => {
          forget(subject);
          return keys.erase(subject);
        }),
      isThere: (subject) => () => keys.isThere(subject),
      isLogSealed: () => async () =>
        E.map((event?: StoredEvent) => event === undefined || isSealed(event.data))(await first()),
      digest: (subject, text) => () => keys.digest(subject, text),
    },
    onErasure: (listener) => void listeners.push(listener),
    openWithRetry,
    unreadable: async () =>
      E.map((event?: StoredEvent) => (event === undefined ? null : otherForm(event)))(await first()),
  };
};
