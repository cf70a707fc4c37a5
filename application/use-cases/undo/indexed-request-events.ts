import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { everyEvent } from '../../../projections/event-selection.js';
import type { Queries } from '../../../projections/queries.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import type { EventsNotFound, RequestEvents } from '../../ports/request-events.js';
import { readSelection } from '../../queries/selections.js';

type Found = TE.TaskEither<EventsNotFound, ReadonlyArray<StoredEvent>>;

const limit = 1_000;

/** Finds events by the index in the read models. `upToHead` waits until this covers the whole log. */
export const indexedRequestEvents = (
  store: EventStore,
  queries: Queries,
  upToHead: TE.TaskEither<EventsNotFound, void>,
): RequestEvents => {
  const selected = (stream: string, request_id: string, cursor: string | null): Found =>
    pipe(
      readSelection(store, queries, { ...everyEvent, stream, request_id }, { limit, cursor, until: null }),
      TE.chainW(({ events, next_cursor }) =>
        next_cursor === null
          ? TE.right(events)
          : pipe(
              selected(stream, request_id, next_cursor),
              TE.map((rest) => [...events, ...rest]),
            ),
      ),
    );
  return (streams, request_id) =>
    pipe(
      upToHead,
      TE.chain(() => TE.traverseSeqArray((stream: string) => selected(stream, request_id, null))(streams)),
      TE.map((found) => found.flat()),
    );
};
