import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { type UnreadSelection, selectionReader, unmatchedFilter } from '../../../application/queries/events.js';
import { shownEvent } from '../../../projections/audit/shown-event.js';
import type { EventSelection } from '../../../projections/event-selection.js';
import type { Listing, PageRequest } from '../../../projections/queries.js';
import { LogPage } from '../codecs/media.js';
import { LateWritePage } from '../codecs/matching.js';
import { withQuery } from '../declare-endpoint.js';
import { adminOnly } from '../finders.js';
import type { Answer, Call, Endpoint, Service, NotListed } from '../endpoint.js';
import { type Gone, inParts, pagedAnswer, readInTurn } from '../paged-answer.js';
import { type BadQuery, badQuery, oneOf, page, readAll, textOf, times } from '../parameters.js';

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

/** Refuses a selection that no event can meet. */
const refuseUnmatchable = (
  { queries }: Service,
  selection: EventSelection,
): TE.TaskEither<BadQuery | NotListed, void> =>
  pipe(
    unmatchedFilter(queries, selection),
    TE.chainEitherKW((wrong) =>
      wrong === null ? E.right(undefined) : badQuery(wrong.field, `matches no event: ${wrong.message}`),
    ),
  );

const portion = 500;

const toLines = ({ items, next_cursor }: Listing<StoredEvent>) => ({
  lines: Buffer.from(items.map((event) => `${JSON.stringify(shownEvent(event))}\n`).join('')),
  next_cursor,
});

/** All selected events from a cursor on, one per line. Ends with the reason if some cannot be read. */
async function* linesOf(
  read: ReturnType<typeof selectionReader>,
  call: Call,
  from: string | null,
): AsyncGenerator<Uint8Array, UnreadSelection | Gone | null> {
  let cursor = from;
  do {
    const found = await readInTurn(call)(pipe(read({ limit: portion, cursor }), TE.map(toLines)))();
    if (E.isLeft(found)) return found.left;
    yield found.right.lines;
    cursor = found.right.next_cursor;
  } while (cursor !== null);
  return null;
}

const wantsLines = ({ headers }: Call): boolean => /\bapplication\/x-ndjson\b/i.test(headers.accept ?? '');

const answer = (
  call: Call,
  selection: EventSelection,
  page: PageRequest,
  descending: boolean,
): TE.TaskEither<UnreadSelection | Gone, Answer<never>> => {
  const { app, queries } = call.service;
  const read = selectionReader(app.store, queries, selection, descending);
  return wantsLines(call)
    ? pipe(
        inParts(linesOf(read, call, page.cursor), 0),
        TE.map((made) => ({ ...made, headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' } })),
      )
    : pagedAnswer(LogPage, call, page, read, shownEvent);
};

export const auditEndpoints: ReadonlyArray<Endpoint> = [
  withQuery(
    'audit.events',
    'List the events of the log',
    'Oldest first. With `Accept: application/x-ndjson` all selected events are streamed, one per line.',
    adminOnly,
    { query: readAll({ ...ofEvents, hide, order, times, page }), answer: LogPage },
    (call, _, { times: between, page: asked, order: given, ...filters }) => {
      const selection = { ...filters, ...between };
      return pipe(
        refuseUnmatchable(call.service, selection),
        TE.chainW(() => answer(call, selection, asked, given === 'desc')),
      );
    },
  ),
  withQuery(
    'audit.lateWrites',
    'List late write-backs',
    'Write-backs that came too late or may belong to another run than the one they were assigned to, with their changes.',
    adminOnly,
    { query: page, answer: LateWritePage },
    (call, _, asked) => pagedAnswer(LateWritePage, call, asked, call.service.queries.lateWrites, identity),
  ),
];
