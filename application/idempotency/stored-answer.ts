import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent, WithheldEvent } from '../../domain/event-catalogue.js';
import { type Failure, withheld } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

/** An answer that is stored for repetitions. */
export interface StoredAnswer {
  /** JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the created thing, where the body contained a secret and is not stored. */
  readonly secret_of: string | null;
}

/** A store accepts events of up to 1 MiB; a character of JSON within JSON takes at most six bytes. */
const pieceLength = 150_000;

/** Splits a text into pieces that each fit an event; at least one. */
export const piecesOf = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(1, Math.ceil(text.length / pieceLength)) }, (_, piece) =>
    text.slice(piece * pieceLength, (piece + 1) * pieceLength),
  );

const pageSize = 10;

interface Reading {
  readonly pieces: ReadonlyArray<string>;
  readonly answer: StoredAnswer | null;
  /** A piece that cannot be read. */
  readonly withheld: WithheldEvent['data'] | null;
}

const nothing: Reading = { pieces: [], answer: null, withheld: null };

const take =
  (write_id: string) =>
  (reading: Reading, event: DomainEvent): Reading => {
    if (event.type === 'AnswerPieceKept' && event.data.write_id === write_id)
      return { ...reading, pieces: [...reading.pieces, event.data.text] };
    // A write that took over starts its answer again.
    if (event.type === 'WriteClaimed') return nothing;
    if (event.type === 'Withheld') return { ...reading, withheld: event.data };
    if (event.type !== 'WriteAnswered' || event.data.write_id !== write_id) return reading;
    const { text, headers, secret_of } = event.data;
    return { ...nothing, answer: { body: [...reading.pieces, text].join(''), headers, secret_of } };
  };

/** Reads the answer of a write from the stream of its key; null if there is none. */
export const readAnswer = (
  store: EventStore,
  stream: string,
  write_id: string,
  reading: Reading = nothing,
  after = -1,
): TE.TaskEither<Failure, StoredAnswer | null> =>
  pipe(
    store.read(stream, after, pageSize),
    TE.chainEitherKW(E.traverseArray(readEvent)),
    TE.chain((page): TE.TaskEither<Failure, StoredAnswer | null> => {
      const last = page.at(-1);
      const next = page.map(({ event }) => event).reduce(take(write_id), reading);
      if (last !== undefined) return readAnswer(store, stream, write_id, next, last.revision);
      return next.withheld === null ? TE.right(next.answer) : TE.left(withheld(stream, next.withheld));
    }),
  );
