import * as E from 'fp-ts/lib/Either.js';
import type { Either } from 'fp-ts/lib/Either.js';
import { type StoreNews, noNews } from '../../application/ports/store-news.js';
import { hashOf, hashOfTexts } from '../../projections/audit/event-hash.js';
import type {
  AppendFailure,
  Appended,
  ExpectedRevision,
  NewEvent,
  EventStore,
  RevisionConflict,
  StoreUnavailable,
} from '../../application/ports/event-store.js';
import type { JsonObject } from '../../domain/kernel/json.js';
import { recentMap } from './recent-map.js';
import type { ChainedEvent, ChainedStore } from './chained-store.js';

type AppendAnswer = Either<AppendFailure, Appended>;

/** What is known of a stream's end: an append that is under way or was kept. */
interface StreamTail {
  readonly revision: number;
  /** The hash of the last event; it is known before the event is durable. Null when the append could not be sent. */
  readonly hash: Promise<string | null> | string | null;
  /** Null once the event is durable: then it stays where it is, with its hash, whatever others append. */
  readonly answered: Promise<AppendAnswer> | null;
}

/** The ends of recently used streams. */
interface StreamTails {
  readonly get: (stream: string) => StreamTail | undefined;
  readonly set: (stream: string, tail: StreamTail) => void;
  /** Notes that this tail is durable, with its hash, unless a later append has taken its place. */
  readonly keep: (stream: string, tail: StreamTail, hash: string | null) => void;
  /** Forgets this tail, unless a later append has taken its place. */
  readonly forget: (stream: string, tail: StreamTail) => void;
}

/**
 * Remembers so many streams at least, twice as many at most; what was not used for long is forgotten. What is heard of
 * the store counts, unless a later append is known.
 */
const createStreamTails = (size: number, news: StoreNews): StreamTails => {
  const tails = recentMap<StreamTail>(size);
  news.onEvent((event) => {
    const [hash, known] = [hashOf(event), tails.get(event.stream)];
    if (hash === null || (known !== undefined && known.revision > event.revision)) return;
    tails.set(event.stream, { revision: event.revision, hash, answered: null });
  });
  return {
    get: tails.get,
    set: tails.set,
    keep: (stream, tail, hash) => {
      if (tails.get(stream) === tail) tails.set(stream, { revision: tail.revision, hash, answered: null });
    },
    forget: (stream, tail) => {
      if (tails.get(stream) === tail) tails.delete(stream);
    },
  };
};

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReadonlyArray<NewEvent>;
}

/** The revision of an append's first event. */
const firstOf = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

const plain = (metadata: JsonObject): JsonObject => {
  if (!('hash' in metadata)) return metadata;
  const { hash: _hash, ...rest } = metadata;
  return rest;
};

/** A JSON object's text with a hash as its last field. */
const withHash = (text: string, hash: string): string =>
  text === '{}' ? `{"hash":"${hash}"}` : `${text.slice(0, -1)},"hash":"${hash}"}`;

/**
 * The events with their hashes, and the last of these: `previous` is the hash of the event before the first. For a
 * store that takes texts the hash is in these alone; copying every metadata object would cost as much as hashing.
 */
const chained = ({ stream, expected, events }: Append, previous: string | null, takesTexts: boolean) => {
  let last = previous;
  const hashed = events.map(({ id, type, data, metadata: given }, index): ChainedEvent => {
    const metadata = plain(given);
    const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    const hash = hashOfTexts({ stream, revision: firstOf(expected) + index, id, type }, texts, last);
    last = hash;
    return takesTexts
      ? { id, type, data, metadata, texts: { data: texts.data, metadata: withHash(texts.metadata, hash) } }
      : { id, type, data, metadata: { ...metadata, hash } };
  });
  return { hashed, last };
};

interface HashChainOptions {
  /**
   * Whether the store refuses an append whose `follows` does not hold, and takes the `texts` of events. One that cannot
   * is given an append only when the one before it is durable, and asked for the last hash unless that is known for
   * certain: another instance may have repeated an append, with another hash.
   */
  readonly guards: boolean;
  /** Tells the hashes that the store holds. */
  readonly news?: StoreNews;
  /** Whether an event's id was made for one append of this process, so that nobody else can have appended it. */
  readonly isOwnId?: (id: string) => boolean;
}

/** A stream's end while its append is under way. */
interface StartedAppend extends StreamTail {
  readonly answered: Promise<AppendAnswer>;
  /** What became of the append before; null when nothing depends on that. */
  readonly before: () => Promise<AppendAnswer | null>;
}

/** The hash that an append goes on from, and what it depends on. */
interface Link {
  readonly previous: string | null;
  /** What becomes of the append that wrote the event before; null when that event is durable, and so there for good. */
  readonly before: Promise<AppendAnswer> | null;
}

const recentStreams = 10_000;

const isRepetition = (answer: AppendAnswer): boolean => E.isRight(answer) && answer.right.repeated === true;

const isOtherHistory = (answer: AppendAnswer): boolean =>
  E.isLeft(answer) && answer.left._tag === 'RevisionConflict' && answer.left.other_history === true;

/** The link that is known at once; null when something has to be waited for. */
const linkNow = (expected: ExpectedRevision, tail: StreamTail | undefined, guards: boolean): Link | null => {
  if (expected === 'no_stream') return { previous: null, before: null };
  if (tail?.revision !== expected || typeof tail.hash !== 'string') return null;
  if (!guards && tail.answered !== null) return null;
  return { previous: tail.hash, before: tail.answered };
};

const overtaken = ({ stream, expected }: Append): RevisionConflict => ({
  _tag: 'RevisionConflict',
  stream,
  expected,
  actual: expected,
  other_history: true,
});

const pageSize = 500;

/** The conflict of an append that is to follow an event that is not there. */
const endsBefore = async (
  store: Pick<EventStore, 'read'>,
  { stream, expected }: Append,
): Promise<E.Either<RevisionConflict | StoreUnavailable, never>> => {
  for (let actual: ExpectedRevision = 'no_stream'; ;) {
    const read = await store.read(stream, firstOf(actual) - 1, pageSize)();
    if (E.isLeft(read)) return read;
    const last = read.right.at(-1);
    if (last === undefined) return E.left({ _tag: 'RevisionConflict', stream, expected, actual });
    actual = last.revision;
  }
};

/** The link that an append waits for: of the append before it, or of what the store holds. */
const linkLater = async (
  store: Pick<EventStore, 'read'>,
  append: Append,
  tail: StreamTail | undefined,
  guards: boolean,
): Promise<E.Either<RevisionConflict | StoreUnavailable, Link>> => {
  const { stream, expected } = append;
  if (tail?.revision === expected) {
    const hash = await tail.hash;
    if (guards && hash !== null) return E.right({ previous: hash, before: tail.answered });
    if (tail.answered !== null && E.isLeft(await tail.answered)) return E.left(overtaken(append));
  }
  const read = await store.read(stream, firstOf(expected) - 2, 1)();
  if (E.isLeft(read)) return read;
  const [last] = read.right;
  return last === undefined ? endsBefore(store, append) : E.right({ previous: hashOf(last), before: null });
};

/**
 * Gives each event the hash of its content and of the event before it in its stream, as `hash` in its metadata, and
 * leaves everything else to the store. Appends may follow each other before the first is durable: each goes on from the
 * hash that the one before will have, and is refused when that is not what the store then holds.
 */
export const hashChain = (store: ChainedStore, options: HashChainOptions): EventStore => {
  const { guards, news = noNews, isOwnId = () => false } = options;
  const tails = createStreamTails(recentStreams, news);

  const send = (append: Append, link: Link) => {
    const { stream, expected } = append;
    const { hashed, last } = chained(append, link.previous, guards);
    const follows = link.before === null ? undefined : (link.previous ?? undefined);
    return { last, answer: store.append(stream, expected, hashed, follows)() };
  };
  /** Sends what can be sent at once at once, so that appends keep their order; the rest once its link is known. */
  const start = (wanted: Append, before: StreamTail | undefined): StartedAppend => {
    const revision = firstOf(wanted.expected) + wanted.events.length - 1;
    const known = linkNow(wanted.expected, before, guards);
    if (known !== null) {
      const { last, answer } = send(wanted, known);
      return { revision, hash: last, answered: answer, before: async () => known.before };
    }
    const link = linkLater(store, wanted, before, guards);
    const sending = link.then(E.map((found) => send(wanted, found)));
    return {
      revision,
      hash: sending.then((sent) => (E.isLeft(sent) ? null : sent.right.last)),
      answered: sending.then((sent) => (E.isLeft(sent) ? sent : sent.right.answer)),
      before: () =>
        link.then((found): AppendAnswer | null | Promise<AppendAnswer> =>
          E.isLeft(found) ? null : found.right.before,
        ),
    };
  };
  /** One that followed a repetition is refused, though nothing else was decided meanwhile: it is sent anew. */
  const append = async (wanted: Append): Promise<AppendAnswer> => {
    const { stream } = wanted;
    const tail = start(wanted, tails.get(stream));
    tails.set(stream, tail);
    const answer = await tail.answered;
    const isCertain = guards ? !isRepetition(answer) : wanted.events.every(({ id }) => isOwnId(id));
    if (E.isRight(answer) && isCertain) {
      tails.keep(stream, tail, tail.hash instanceof Promise ? await tail.hash : tail.hash);
      return answer;
    }
    tails.forget(stream, tail);
    if (!isOtherHistory(answer)) return answer;
    const before = await tail.before();
    return before !== null && isRepetition(before) ? append(wanted) : answer;
  };
  return {
    ...store,
    append: (stream, expected, events) => () =>
      events.length === 0 ? store.append(stream, expected, events)() : append({ stream, expected, events }),
  };
};
