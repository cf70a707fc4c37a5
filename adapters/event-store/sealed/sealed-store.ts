import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
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
import { type Subject, subjectOfStream } from '../../../domain/kernel/recorded-event.js';
import { forgetLastMatch } from '../../runtime/memory.js';
import { SealedData, openText, sealText, sealedForm } from './sealed-data.js';
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
  readonly unreadable: TE.TaskEither<StoreUnavailable, string | null>;
}

/** Why sealed data of another form is not read, and what to do. */
const otherForm = ({ position, data }: StoredEvent): string | null =>
  SealedData.is(data) && data.v !== sealedForm
    ? `the event log cannot be read at position ${position}: its data is encrypted in form ${data.v}, and this version of ` +
      `the service reads form ${sealedForm} alone. Nothing was changed. Use the version that wrote it, or another DATA_DIR`
    : null;

const keyMissing = { data: {}, withheld: 'key_missing' } as const;

/** An event with its data opened, or with the reason why that is withheld. */
const openEvent =
  (keys: SubjectKeys) =>
  (event: StoredEvent): TE.TaskEither<StoreUnavailable, StoredEvent> =>
  async () => {
    const { data } = event;
    if (!SealedData.is(data)) return E.right(event);
    const reason = otherForm(event);
    if (reason !== null) return E.left({ _tag: 'StoreUnavailable', reason });
    const key = await keys.toOpen(data.key);
    if (E.isRight(key)) {
      const clear = openText(data.sealed, key.right, event);
      return E.right({ ...event, ...(clear === null ? keyMissing : { data: clear }) });
    }
    if (key.left._tag === 'MediumErased')
      return E.right({ ...event, data: {}, withheld: 'erased', erased_at: key.left.erased_at });
    return key.left.because === 'key_missing' ? E.right({ ...event, ...keyMissing }) : E.left(key.left);
  };

/** The reading part of the log, which opens what is sealed. */
const opener = (stored: EventStore, keys: SubjectKeys) => {
  const open = TE.traverseSeqArray(openEvent(keys));
  const openWithRetry: SealedStore['openWithRetry'] = async (events, isClosed) => {
    for (const pauses = backoff(100, 5_000); !isClosed(); await setTimeout(pauses.next())) {
      const opened = await open(events)();
      if (E.isRight(opened)) return opened.right;
      if (opened.left.because !== 'key_vault') throw new Error(opened.left.reason);
    }
    return null;
  };
  const read: EventStore['read'] = (...wanted) => pipe(stored.read(...wanted), TE.chain(open));
  const readAll: EventStore['readAll'] = (...wanted) =>
    pipe(
      stored.readAll(...wanted),
      TE.chain((page) => TE.map((events: Page['events']) => ({ ...page, events }))(open(page.events))),
    );
  const at: EventStore['at'] = (position) =>
    pipe(
      stored.at(position),
      TE.chain((found) => open(found === null ? [] : [found])),
      TE.map(([event]) => event ?? null),
    );
  return { read, readAll, at, openWithRetry };
};

/** Seals the data of an event that has subjects. */
const sealEvent =
  (keys: SubjectKeys, stream: string) =>
  (event: NewEvent): TE.TaskEither<AppendFailure, NewEvent> =>
  async () => {
    const { id, type, metadata, subjects = [] } = event;
    if (subjects.length === 0) {
      // A caller that forgot the subjects. What is sealed already, as in a copied log, is stored as it is.
      if (isPersonal(type) && !SealedData.is(event.data))
        throw new Error(`${type} is a personal event without subjects`);
      return E.right(event);
    }
    const name = nameOf(subjects);
    const key = await keys.toSeal(name);
    if (E.isLeft(key)) return key;
    const sealed = sealText(event.data, key.right, { stream, id, type });
    return E.right({ id, type, metadata, data: { sealed, key: name, v: sealedForm } });
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
  const append: EventStore['append'] = (stream, expected, events) => {
    const own = subjectOfStream(stream);
    const subjects = [...(own === null ? [] : [own]), ...events.flatMap((event) => event.subjects ?? [])];
    return inTurn(
      subjects,
      pipe(
        TE.traverseSeqArray(sealEvent(keys, stream))(events),
        TE.chain((sealed) => stored.append(stream, expected, sealed)),
        TE.tapIO(() => () => events.forEach(({ type }) => forgetErased(stream, type))),
      ),
    );
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
  const first = TE.map(({ events: [event] }: Page) => event ?? null)(stored.readAll(null, personal, 1));
  return {
    store: { ...stored, append, read, readAll, at, subscribe },
    keys: {
      erase: (subject) =>
        inTurn([subject], () => {
          forget(subject);
          return keys.erase(subject);
        }),
      isThere: (subject) => () => keys.isThere(subject),
      isLogSealed: () => TE.map((event: StoredEvent | null) => event === null || SealedData.is(event.data))(first),
      digest: (subject, text) => () => keys.digest(subject, text),
    },
    onErasure: (listener) => void listeners.push(listener),
    openWithRetry,
    unreadable: TE.map((event: StoredEvent | null) => event && otherForm(event))(first),
  };
};
