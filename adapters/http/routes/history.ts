import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../../../application/failures.js';
import { readHistoryPage } from '../../../application/queries/history.js';
import { type DomainEvent, versionOf } from '../../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { shownMetadata, withheldAs } from '../../../projections/audit/shown-event.js';
import { typeName } from '../../../projections/event-selection.js';
import type { InvalidCursor, Listing, PageRequest } from '../../../projections/queries.js';
import { HistoryPage } from '../answers/events.js';
import type { Answer, Call } from '../endpoint.js';
import { pagedAnswer } from '../paged-answer.js';
import { type BadQuery, pageRequest } from '../query.js';
import type { Gone } from '../read-in-turn.js';
import type { Service } from '../service.js';

const shown = ({ position, revision, event_id, event, metadata }: RecordedEvent<DomainEvent>) => {
  const withheld = event.type === 'Withheld' ? event.data : null;
  const type = withheld === null ? event.type : typeName(withheld.stored);
  return {
    position,
    revision,
    event_id,
    type,
    version: versionOf(type),
    ...shownMetadata(metadata),
    data: withheld === null ? event.data : null,
    ...withheldAs(withheld?.why),
  };
};

const maxLimit = 1_000;
/** The events of about this many bytes are read at once. */
const portion = 500_000;

const pageOf = ({ query }: Call) => pageRequest({ ...query, limit: query['limit'] ?? String(maxLimit) });

type Events = ReadonlyArray<RecordedEvent<DomainEvent>>;

/** The next events of a record, and whether there are more. */
const read =
  ({ app: { store } }: Service, stream: string) =>
  ({ limit, cursor }: PageRequest): TE.TaskEither<InvalidCursor | Failure, Listing<RecordedEvent<DomainEvent>>> => {
    if (cursor !== null && !/^\d{1,15}$/.test(cursor)) return TE.left({ _tag: 'InvalidCursor' });
    const more = (last: number): TE.TaskEither<Failure, Events> => readHistoryPage(store, stream, last, 1);
    return pipe(
      readHistoryPage(store, stream, cursor === null ? -1 : Number(cursor), limit, portion),
      TE.chain((items) => {
        const last = items.at(-1)?.revision;
        if (last === undefined) return TE.right({ items, next_cursor: null });
        const next_cursor = String(last);
        // Fewer than requested: there are more, or the next portion is empty.
        if (items.length < limit) return TE.right({ items, next_cursor });
        return pipe(
          more(last),
          TE.map((next) => ({ items, next_cursor: next.length === 0 ? null : next_cursor })),
        );
      }),
    );
  };

/** The events of a record in order. The cursor is the revision of the last event of the previous page. */
export const history = (
  service: Service,
  stream: string,
  call: Call,
): TE.TaskEither<BadQuery | InvalidCursor | Failure | Gone, Answer<never>> =>
  pipe(
    TE.fromEither(pageOf(call)),
    TE.chainW((page) => pagedAnswer({ of: HistoryPage, page, show: shown, call, read: read(service, stream) })),
  );
