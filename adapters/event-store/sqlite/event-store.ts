import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { toStoredEvent } from './event-row.js';
import type { GroupCommit } from './group-commit.js';
import { type Insert, type PreparedAppend, prepareAppend } from './insertion.js';
import { toPage } from './page.js';
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
  read: (stream, afterRevision, limit) =>
    TE.fromIOEither(() => attempt(() => reader.stream(stream, afterRevision, limit).map(toStoredEvent))),
  readAll: (after, filter, limit) =>
    TE.fromIOEither(() =>
      attempt(() => {
        const from = toRow(after);
        const head = reader.head();
        const rows = reader.all(from, head, filter, limit);
        return toPage(rows, from, head, rows.length >= limit);
      }),
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
        return reader.all(row - 1, row, {}, 1).some(([, , , found]) => found === id);
      }),
    ),
  isPosition,
  subscribe,
});
