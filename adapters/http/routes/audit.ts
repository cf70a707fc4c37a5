import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { StoredEvent, StoreUnavailable } from '../../../application/ports/event-store.js';
import { readSelection } from '../../../application/queries/events.js';
import { shownEvent, shownMetadata } from '../../../projections/audit/shown-event.js';
import { type EventSelection, everyEvent, unmatchableFilter } from '../../../projections/event-selection.js';
import type { InvalidCursor, Listing, PageRequest, ReadModelsUnavailable } from '../../../projections/queries.js';
import { LogPage } from '../codecs/media.js';
import { LateWritePage } from '../codecs/matching.js';
import { withQuery } from '../declare-endpoint.js';
import type { Answer, Call, Endpoint, Service, NotListed } from '../endpoint.js';
import { adminOnly } from '../finders.js';
import { type Gone, inParts, pagedAnswer, readInTurn } from '../paged-answer.js';
import { type BadQuery, oneOf, page, readAll, textOf, times } from '../parameters.js';

interface EventsWanted {
  readonly selection: EventSelection;
  readonly page: PageRequest;
  readonly descending: boolean;
}

const pattern = (name: string, description: string, form: RegExp, expected: string) =>
  textOf(name, description, (given): given is string => form.test(given), expected);

const ofEvents = {
  stream: pattern(
    'stream',
    'Only events of this stream, for example `video-7`.',
    /^[\x21-\x7e]{1,512}$/,
    'the name of a stream, for example video-7',
  ),
  category: pattern(
    'category',
    'Only events of streams of this category, for example `video`.',
    /^[A-Za-z][A-Za-z0-9]{0,63}$/,
    'a stream category (the stream name up to the hyphen), for example video',
  ),
  type: pattern(
    'type',
    'Only events of this type, for example `FacesMatched` or `FacesMatched.v1`.',
    /^[A-Za-z][A-Za-z0-9]{0,127}(?:\.v\d{1,6})?$/,
    'an event type, for example FacesMatched or FacesMatched.v1',
  ),
  actor: pattern(
    'actor',
    'Only events caused by this API key or account (an id).',
    /^[\x21-\x7e]{1,256}$/,
    'the id of an API key or account',
  ),
  request_id: pattern(
    'request_id',
    'Only events caused by the request with this id.',
    /^[\x21-\x7e]{1,256}$/,
    'the id of a request',
  ),
};
const hide = oneOf('hide', '`bookkeeping` leaves out the events of idempotency keys.', ['bookkeeping']);
const order = oneOf('order', 'Oldest first (`asc`, the default) or newest first.', ['asc', 'desc']);

/** The index finds requests by a hash of their id, so the id itself is compared here. */
const isOfRequest = ({ metadata }: StoredEvent, { request_id }: EventSelection): boolean =>
  request_id === null || shownMetadata(metadata).request_id === request_id;

type Unread = InvalidCursor | ReadModelsUnavailable | StoreUnavailable;

/** Reads the selected events up to the end of the log as it was when the first portion was read. */
const reader = (service: Service, { selection, descending }: EventsWanted) => {
  let until: string | null = null;
  return (asked: PageRequest): TE.TaskEither<Unread, Listing<StoredEvent>> =>
    pipe(
      readSelection(service.app.store, service.queries, selection, { ...asked, until, descending }),
      TE.map((found) => {
        until ??= found.until;
        return {
          items: found.events.filter((event) => isOfRequest(event, selection)),
          next_cursor: found.next_cursor,
        };
      }),
    );
};

/**
 * Refuses a selection that no event can meet, since an empty answer would say that nothing happened. Other programs may
 * have written what this service does not know to the same EventStoreDB.
 */
const refuseUnmatchable = (service: Service, selection: EventSelection): TE.TaskEither<BadQuery | NotListed, void> => {
  const { stream, category, type, hide } = selection;
  const wrong = unmatchableFilter(selection);
  if (wrong === null) return TE.right(undefined);
  const others = { ...everyEvent, stream, category, type, hide };
  return pipe(
    service.queries.events(others, { limit: 1, cursor: null, until: null }),
    TE.chainW(({ items }) =>
      items.length > 0
        ? TE.right(undefined)
        : TE.left({
            _tag: 'BadQuery' as const,
            parameter: wrong.field,
            message: `matches no event: ${wrong.message}`,
          }),
    ),
  );
};

const portion = 500;

const toLines = ({ items, next_cursor }: Listing<StoredEvent>) => ({
  lines: Buffer.from(items.map((event) => `${JSON.stringify(shownEvent(event))}\n`).join('')),
  next_cursor,
});

/** All selected events from a cursor on, one per line. Ends with the reason if some cannot be read. */
async function* linesOf(
  read: ReturnType<typeof reader>,
  call: Call,
  from: string | null,
): AsyncGenerator<Uint8Array, Unread | Gone | null> {
  let cursor = from;
  do {
    const found = await readInTurn(call, pipe(read({ limit: portion, cursor }), TE.map(toLines)))();
    if (E.isLeft(found)) return found.left;
    yield found.right.lines;
    cursor = found.right.next_cursor;
  } while (cursor !== null);
  return null;
}

const wantsLines = ({ headers }: Call): boolean => /\bapplication\/x-ndjson\b/i.test(headers.accept ?? '');

const answer = (call: Call, events: EventsWanted): TE.TaskEither<Unread | Gone, Answer<never>> => {
  const { service } = call;
  const read = reader(service, events);
  return wantsLines(call)
    ? pipe(
        inParts(linesOf(read, call, events.page.cursor), 0),
        TE.map((made) => ({ ...made, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' } })),
      )
    : pagedAnswer(LogPage, call, events.page, read, shownEvent);
};

export const auditEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'audit.events',
    'List the events of the log',
    'Oldest first. With `Accept: application/x-ndjson` all selected events are streamed, one per line.',
    { answer: LogPage },
    readAll({ ...ofEvents, hide, order, times, page }),
    adminOnly,
    (call, _, { times: between, page: asked, order: given, ...filters }) => {
      const selection = { ...filters, ...between };
      return pipe(
        refuseUnmatchable(call.service, selection),
        TE.chainW(() => answer(call, { selection, page: asked, descending: given === 'desc' })),
      );
    },
  ),
  withQuery(
    'audit.lateWrites',
    'List late write-backs',
    'Write-backs that came too late or may belong to another run than the one they were assigned to, with their changes.',
    { answer: LateWritePage },
    page,
    adminOnly,
    (call, _, asked) => pagedAnswer(LateWritePage, call, asked, call.service.queries.lateWrites, identity),
  ),
];
