import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { toStoredEvent } from './event-row.js';
import type { GroupCommit } from './group-commit.js';
import { prepareAppend } from './insertion.js';
import { toPage } from './page.js';
import { toPosition, toRow } from './position.js';
import type { Reader } from './reader.js';
import { attempt } from './unavailable.js';

interface Parts {
  readonly reader: Reader;
  readonly writer: GroupCommit;
  readonly subscribe: EventStore['subscribe'];
}

/** The port, made of its parts. A function that throws becomes a failure of the port. */
export const createEventStore = ({ reader, writer, subscribe }: Parts): EventStore => ({
  append: (stream, expected, events) => () => {
    const prepared = prepareAppend(stream, expected, events);
    return E.isLeft(prepared) ? Promise.resolve(prepared) : writer.append(prepared.right);
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
  subscribe,
});
