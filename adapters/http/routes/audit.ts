import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { type SelectedEvents, readSelection } from '../../../application/use-cases/read-selection.js';
import { shownEvent, shownMetadata } from '../../../projections/audit/shown-event.js';
import type { EventSelection } from '../../../projections/event-selection.js';
import type { EventPageRequest, PageRequest } from '../../../projections/queries.js';
import { type Answer, type Call, type Endpoint, withoutBody } from '../endpoint.js';
import { type BadQuery, eventSelection, pageRequest } from '../query.js';
import type { Refusal } from '../refusals.js';
import { type Service, adminAlone, asked } from '../service.js';
import { listed } from './records.js';

interface EventsWanted {
  readonly selection: EventSelection;
  readonly page: PageRequest;
}

const wanted = ({ query }: Call): E.Either<BadQuery, EventsWanted> =>
  pipe(
    E.Do,
    E.bind('selection', () => eventSelection(query)),
    E.bind('page', () => pageRequest(query)),
  );

const read = (service: Service, selection: EventSelection, page: EventPageRequest) =>
  readSelection(service.app.store, service.queries, selection, page);

const isOfRequest = ({ metadata }: StoredEvent, { request_id }: EventSelection): boolean =>
  request_id === null || shownMetadata(metadata).request_id === request_id;

const linesOf = ({ events }: SelectedEvents, selection: EventSelection): string =>
  events
    .filter((event) => isOfRequest(event, selection))
    .map((event) => `${JSON.stringify(shownEvent(event))}\n`)
    .join('');

const portion = 500;

/** The first page and all that follow it up to where the log ended at the first; a failure rejects. */
async function* inPortions(service: Service, selection: EventSelection, first: SelectedEvents) {
  let page = first;
  for (;;) {
    yield linesOf(page, selection);
    if (page.next_cursor === null) return;
    const next = await read(service, selection, { limit: portion, cursor: page.next_cursor, until: first.until })();
    if (E.isLeft(next)) throw new Error(next.left._tag);
    page = next.right;
  }
}

const wantsLines = ({ headers }: Call): boolean => /\bapplication\/x-ndjson\b/i.test(headers.accept ?? '');

const answer = (service: Service, call: Call, selection: EventSelection, page: PageRequest) => {
  const limit = wantsLines(call) ? portion : page.limit;
  return pipe(
    asked(service, () => read(service, selection, { ...page, limit, until: null })),
    TE.map((found): Answer => {
      if (wantsLines(call))
        return {
          body: null,
          parts: inPortions(service, selection, found),
          headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
        };
      const events = found.events.filter((event) => isOfRequest(event, selection)).map(shownEvent);
      return { body: { events, next_cursor: found.next_cursor } };
    }),
  );
};

/** Events of the whole log, oldest first: a page, or as NDJSON the whole selection. */
const events = (service: Service): Endpoint =>
  withoutBody('get', '/v1/audit/events', adminAlone, (call) =>
    pipe(
      TE.fromEither<Refusal, EventsWanted>(wanted(call)),
      TE.chain(({ selection, page }) => answer(service, call, selection, page)),
    ),
  );

/** Write-backs that came late, or that may have come from another run than they were booked on, newest first. */
const lateWrites = (service: Service): Endpoint =>
  withoutBody('get', '/v1/audit/late-writes', adminAlone, (call) =>
    listed(service, 'late_writes', call, service.queries.lateWrites, (late) => late),
  );

export const auditEndpoints = (service: Service): ReadonlyArray<Endpoint> => [events(service), lateWrites(service)];
