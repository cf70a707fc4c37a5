import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import type { ChainedStore } from '../chained-store.js';
import { countFitting } from '../../../domain/kernel/count-fitting.js';
import { turnFor } from '../../runtime/turns.js';
import { eventsOfRows } from './events-of-rows.js';
import type { GroupCommit } from './group-commit.js';
import { type Insert, charactersOf, prepareAppend } from './insertion.js';
import type { LargeAppends } from './large-append.js';
import { readPage } from './page.js';
import { isPosition, toPosition, toRow } from './position.js';
import type { Reader } from './reader.js';
import { attempt, attemptLater } from './unavailable.js';

interface Parts {
  readonly reader: Reader;
  readonly writer: GroupCommit;
  readonly insert: Insert;
  readonly large: LargeAppends;
  /** An append of so many characters is large. */
  readonly largeFrom: number;
  readonly subscribe: EventStore['subscribe'];
}

/** So much of a stream is read and parsed in one go, in bytes. */
const largestSlice = 250_000;

const sumOf = (sizes: ReadonlyArray<number>): number => sizes.reduce((sum, size) => sum + size, 0);

/** Reads the next events of a stream, what is large in slices: before each, and after the last, others have their turn. */
const readSlices = async (
  reader: Reader,
  stream: string,
  after: number,
  limit: number,
  mostBytes: number,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>> => {
  const found = attempt(() => reader.sizes(stream, after, limit));
  if (E.isLeft(found)) return found;
  const sizes = found.right.slice(0, countFitting(found.right, mostBytes));
  const events: StoredEvent[] = [];
  while (events.length < sizes.length) {
    const left = sizes.slice(events.length);
    const slice = left.slice(0, countFitting(left, largestSlice));
    const bytes = sumOf(slice);
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await turnFor(bytes);
    const last = events.at(-1)?.revision ?? after;
    // oxlint-disable-next-line no-await-in-loop -- the same
    const read = await attemptLater(() =>
      eventsOfRows(reader, reader.stream(stream, last, slice.length, bytes > largestSlice)),
    );
    if (E.isLeft(read)) return read;
    events.push(...read.right);
    if (read.right.length < slice.length) break;
    // oxlint-disable-next-line no-await-in-loop -- the same
    if (events.length === sizes.length) await turnFor(bytes);
  }
  return E.right(events);
};

/** The port, made of its parts. A function that throws becomes a failure of the port. */
export const createEventStore = ({ reader, writer, insert, large, largeFrom, subscribe }: Parts): ChainedStore => ({
  append: (stream, expected, events, follows) => async () => {
    const prepared = prepareAppend(stream, expected, events, follows);
    if (E.isLeft(prepared)) return prepared;
    const characters = charactersOf(prepared.right);
    const written = await writer.write({
      run: (ends) => insert(prepared.right, ends),
      ...(characters < largeFrom ? {} : { runBeside: () => large.write(prepared.right) }),
      characters,
      newestRow: (answer) => (E.isRight(answer) ? toRow(answer.right.position) : 0),
    });
    return E.flattenW(written);
  },
  read:
    (stream, afterRevision, limit, mostBytes = Infinity) =>
    () =>
      readSlices(reader, stream, afterRevision, limit, mostBytes),
  readAll: (after, filter, limit) =>
    pipe(
      () => attemptLater(async () => readPage(reader, toRow(after), reader.head(), filter, limit)),
      TE.map(({ page }) => page),
    ),
  head: () =>
    TE.fromIOEither(() =>
      attempt(() => {
        const head = reader.head();
        return head === 0 ? null : toPosition(head);
      }),
    ),
  holds: ({ position, id }) =>
    TE.fromIOEither(() =>
      attempt(() => {
        if (!isPosition(position)) return false;
        const row = toRow(position);
        return reader.all(row - 1, row, {}, 1, false).some(([, , , found]) => found === id);
      }),
    ),
  isPosition,
  subscribe,
});
