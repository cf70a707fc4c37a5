import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { everyEvent } from '../../../projections/event-selection.js';
import type { Queries } from '../../../projections/queries.js';
import { readMetadata } from '../../commands/read-event.js';
import type { UnreadableEvent } from '../../failures.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import type { EventsNotFound, RequestEvent, RequestEvents } from '../../ports/request-events.js';
import { readSelection } from '../../queries/selections.js';

const limit = 1_000;

/** What links a stored event to others. */
const requestEventOf = (stored: StoredEvent): E.Either<UnreadableEvent, RequestEvent> => {
  const { position, stream, revision, id: event_id } = stored;
  return pipe(
    readMetadata(stored),
    E.map(({ causation_id }) => ({ position, stream, revision, event_id, causation_id })),
  );
};

/** Finds events by the index in the read models. `upToHead` waits until this covers the whole log. */
export const indexedRequestEvents = (
  store: EventStore,
  queries: Queries,
  upToHead: TE.TaskEither<EventsNotFound, void>,
): RequestEvents => {
  const inStream =
    (request_id: string) =>
    (stream: string): ReturnType<RequestEvents> =>
    async () => {
      const found: RequestEvent[] = [];
      let cursor: string | null = null;
      do {
        const selection = { ...everyEvent, stream, request_id };
        const page: E.Either<EventsNotFound, { events: ReadonlyArray<StoredEvent>; next_cursor: string | null }> =
          await readSelection(store, queries, selection, { limit, cursor, until: null })();
        if (E.isLeft(page)) return page;
        const linked = E.traverseArray(requestEventOf)(page.right.events);
        if (E.isLeft(linked)) return linked;
        found.push(...linked.right);
        cursor = page.right.next_cursor;
      } while (cursor !== null);
      return E.right(found);
    };
  return (streams, request_id) =>
    pipe(
      upToHead,
      TE.chainW(() => TE.traverseSeqArray(inStream(request_id))(streams)),
      TE.map((found) => found.flat()),
    );
};
