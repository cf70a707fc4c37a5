import type { StoreNews } from '../../../application/ports/store-news.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import type { Either } from 'fp-ts/lib/Either.js';
import type { AppendFailure, Appended } from '../../../application/ports/event-store.js';

export type AppendAnswer = Either<AppendFailure, Appended>;

/** What is known of a stream's end: an append that is under way or was kept. */
export interface StreamTail {
  readonly revision: number;
  /** The hash of the last event; it is known before the event is durable. Null when the append could not be sent. */
  readonly hash: Promise<string | null> | string | null;
  /** Null once the event is durable: then it stays where it is, with its hash, whatever others append. */
  readonly answered: Promise<AppendAnswer> | null;
}

/** The ends of recently used streams. */
export interface StreamTails {
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
export const createStreamTails = (room: number, news: StoreNews): StreamTails => {
  let newer = new Map<string, StreamTail>();
  let older: Map<string, StreamTail> = new Map();
  const get = (stream: string): StreamTail | undefined => newer.get(stream) ?? older.get(stream);
  const set = (stream: string, tail: StreamTail): void => {
    if (newer.size >= room && !newer.has(stream)) {
      older = newer;
      newer = new Map();
    }
    newer.set(stream, tail);
  };
  news.onEvent((event) => {
    const [hash, known] = [hashOf(event), get(event.stream)];
    if (hash === null || (known !== undefined && known.revision > event.revision)) return;
    set(event.stream, { revision: event.revision, hash, answered: null });
  });
  return {
    get,
    set,
    keep: (stream, tail, hash) => {
      if (get(stream) === tail) set(stream, { revision: tail.revision, hash, answered: null });
    },
    forget: (stream, tail) => {
      if (get(stream) !== tail) return;
      newer.delete(stream);
      older.delete(stream);
    },
  };
};
