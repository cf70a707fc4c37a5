import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import { type EventRow, sizeOf, toStoredEvent } from './event-row.js';
import type { GroupCommit } from './group-commit.js';
import { type Insert, type PreparedAppend, prepareAppend } from './insertion.js';
import { readPage } from './page.js';
import { isPosition, toPosition, toRow } from './position.js';
import type { Reader } from './reader.js';
import { attempt } from './unavailable.js';

interface Parts {
  readonly reader: Reader;
  readonly writer: GroupCommit;
  readonly insert: Insert;
  readonly subscribe: EventStore['subscribe'];
}

const charactersOf = ({ events }: PreparedAppend): number =>
  events.reduce((sum, [, , data, metadata]) => sum + data.length + metadata.length, 0);

/** Lets other work come first after so much text was parsed. */
const largestSlice = 250_000;

/** Reads rows and parses them, a slice at a time. */
const inSlices = async (
  read: () => ReadonlyArray<EventRow>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>> => {
  const rows = attempt(read);
  if (E.isLeft(rows)) return rows;
  const events: StoredEvent[] = [];
  let parsed = 0;
  for (const row of rows.right) {
    const event = attempt(() => toStoredEvent(row));
    if (E.isLeft(event)) return event;
    events.push(event.right);
    parsed += sizeOf(row);
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    if (parsed > largestSlice) await setImmediate();
    if (parsed > largestSlice) parsed = 0;
  }
  return E.right(events);
};

/** The port, made of its parts. A function that throws becomes a failure of the port. */
export const createEventStore = ({ reader, writer, insert, subscribe }: Parts): EventStore => ({
  append: (stream, expected, events, follows) => async () => {
    const prepared = prepareAppend(stream, expected, events, follows);
    if (E.isLeft(prepared)) return prepared;
    const written = await writer.write({
      run: (ends) => insert(prepared.right, ends),
      characters: charactersOf(prepared.right),
      newestRow: (answer) => (E.isRight(answer) ? toRow(answer.right.position) : 0),
    });
    return E.flattenW(written);
  },
  read: (stream, afterRevision, limit, mostBytes) =>
    mostBytes === undefined
      ? TE.fromIOEither(() => attempt(() => reader.stream(stream, afterRevision, limit, Infinity).map(toStoredEvent)))
      : () => inSlices(() => reader.stream(stream, afterRevision, limit, mostBytes)),
  readAll: (after, filter, limit) =>
    TE.fromIOEither(() => attempt(() => readPage(reader, toRow(after), reader.head(), filter, limit))),
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
        return reader.all(row - 1, row, {}, 1).some(([, , , found]) => found === id);
      }),
    ),
  isPosition,
  subscribe,
});
