import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Failure } from '../../../application/failures.js';
import type { PointInHistory } from '../../../application/queries/events.js';
import { readHistory } from '../../../application/queries/records.js';
import { readTimestamp } from '../../../domain/kernel/timestamp.js';
import type { InvalidCursor, Listing, PageRequest, RecordSelection } from '../../../projections/queries.js';
import { Count, readCursor, toCursor } from '../../runtime/cursor.js';
import { type Gone, type ReadingRequest, logInTurn, pagedAnswer } from '../paged-answer.js';
import type { Page } from '../codecs/values.js';
import { AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { ProcessingStatus } from '../../../domain/kernel/media.js';
import { foldedTitle } from '../../../projections/tables.js';
import type { Answer, Call, Service, NotListed } from '../endpoint.js';
import * as query from '../parameters.js';
import { recordAnswer } from '../declare-endpoint.js';
import { waitForItems } from '../long-poll.js';
import { shownHistoryEvent } from '../../../projections/audit/shown-event.js';
import { HistoryPage } from '../codecs/media.js';

/** The answer with a record. */
export const answered = <Body>({ record, revision }: { readonly record: Body; readonly revision: number }) =>
  recordAnswer(record, revision);

/** Refusals of the registration of a record that do not depend on its kind. */
export const registrationRefusals = ['UnknownAudio', 'UnknownVideo', 'NoSuchRevision', 'MediumErased'] as const;

/** What a record is read from, in the caller's turn. */
export const sources = (call: ReadingRequest & Pick<Call, 'service'>) => ({ ...call.service, log: logInTurn(call) });

/** The record that was written is answered even if the client has gone: a repetition with the same key gets the answer. */
export const sourcesAfterWrite = ({ service, request }: Pick<Call, 'service' | 'request'>) =>
  sources({ service, request, isGone: () => false });

export const aboutErasure =
  'Permanently erases its content, evidence, transcript and names. Its history still lists each event with its time and actor, but without data (`erased: true`). Charges are kept. The id cannot be used again.';

/** The answer to an erasure, once the read models include it. The erasure succeeds even if they are behind. */
export const erased = <Refused, Receipt>(
  service: Service,
  erasing: TE.TaskEither<Refused, Receipt>,
): TE.TaskEither<Refused, Answer<Receipt>> =>
  pipe(
    erasing,
    TE.chainFirstTaskK(() => service.upToDate()),
    TE.map((body) => ({ body })),
  );

/** `at`: a revision (digits only) or a time. */
export const pointInHistory = query.parameter(
  query.aboutText('at', 'Returns the record as it was at this time, or at this revision (digits only).'),
  (at): PointInHistory | undefined => {
    if (/^\d{1,15}$/.test(at)) return { kind: 'revision', revision: Number(at) };
    const time = readTimestamp(at);
    return time === null ? undefined : { kind: 'time', time };
  },
  'be a revision (digits only), a time with its offset, such as 2026-01-31T12:00:00Z, or a date',
);

const statuses = Object.keys(ProcessingStatus.keys).filter(ProcessingStatus.is);

const wait = query.waitFor(
  'Only with `status=queue`: the maximum number of seconds to wait until there is a record that waits for its analysis.',
);
const status = query.oneOf(
  'status',
  'Only records with this processing status.',
  statuses,
  `one of ${statuses.join(', ')}`,
);
const title = query.text('title', 'Only records whose title contains this text; case is ignored.');
const from = query.time('created_from', 'Only records created at this time or later.');
const to = query.time('created_to', 'Only records created before this time.');
const sort = query.oneOf('sort', 'The field to sort by.', ['created_at', 'updated_at', 'title']);
const aboutOrder = 'Ascending or descending. By default times are descending and titles ascending.';
const order = query.oneOf('order', aboutOrder, ['asc', 'desc']);

const anId = 'an id of 1 to 128 characters from A-Za-z0-9._:-';
const video_id = query.textOf('video_id', 'Only the audio of this video.', VideoId.is, anId);
const audio_id = query.textOf('audio_id', 'Only the video of this audio.', AudioId.is, anId);
const needs_review = query.flag(
  'needs_review',
  'true: only videos with suggestions that await a decision; false: only videos without.',
);
const aboutTag = 'Only videos with this tag, as `key:value`. The key ends at the first colon.';
const tag = query.parameter(
  query.aboutText('tag', aboutTag, { pattern: '^[^:]+:' }),
  (given) => {
    const colon = given.indexOf(':');
    return colon < 1 ? undefined : { key: given.slice(0, colon), value: given.slice(colon + 1) };
  },
  'have the form key:value',
);
const expand = query.oneOf('expand', '`audio` adds the audio record of each video.', ['audio']);

/**
 * Which records to list, which page of them, and for how many seconds to wait until there is one. By default, times are
 * descending and titles ascending.
 */
const recordSelection = (linked_id: query.Parameter<string | null>) =>
  query.checked(
    query.readAll({ page: query.page, wait, status, title, created: query.range(from, to), sort, order, linked_id }),
    ({ page: asked, wait: seconds, title: part, sort: by, order: direction, ...others }) =>
      seconds !== null && others.status !== 'queue'
        ? query.badQuery('wait', 'needs status=queue')
        : E.right({
            page: asked,
            seconds: seconds ?? 0,
            selection: {
              ...others,
              title: part && foldedTitle(part),
              sort: by ?? 'created_at',
              descending: direction === null ? by !== 'title' : direction === 'desc',
            },
          }),
  );

/** The audios that a query asks for. */
export const askedAudios = recordSelection(video_id);

/** The videos that a query asks for. */
export const askedVideos = query.checked(
  query.readAll({ asked: recordSelection(audio_id), needs_review, tag, expand }),
  ({ asked: { selection, ...others }, expand: expanded, ...more }) =>
    E.right({ ...others, selection: { ...selection, ...more, with_audio: expanded !== null } }),
);

/**
 * The records of the account that a query selects; of all accounts for workers, who find there what waits for them. With
 * `wait` and `status=queue`, waits until there is one.
 */
export const listedRecords = <Selection extends Omit<RecordSelection, 'owner_id'>, Item, Shown extends t.Mixed>(
  table: 'videos' | 'audios',
  of: Page<Shown>,
  call: Call,
  { selection, page, seconds }: { readonly selection: Selection; readonly page: PageRequest; readonly seconds: number },
  find: (
    selection: Selection & Pick<RecordSelection, 'owner_id'>,
    page: PageRequest,
  ) => TE.TaskEither<NotListed, Listing<Item>>,
  show: (item: Item) => t.TypeOf<Shown>,
): TE.TaskEither<NotListed | Gone, Answer<never>> => {
  const { service, request } = call;
  const { admin, permissions, account_id } = request.caller;
  const selected = { ...selection, owner_id: admin || permissions.has('WORKER') ? null : account_id };
  // Whether there is one does not depend on the order, and this order finds it at once.
  const waiting = { ...selected, sort: 'created_at' as const };
  const first = { limit: 1, cursor: selection.sort === 'created_at' ? page.cursor : null };
  return pipe(
    waitForItems(service, table, [waiting, first], find(waiting, first), seconds),
    TE.chainW(() => pagedAnswer(of, call, page, (portion) => find(selected, portion), show)),
  );
};

const RevisionCursor = t.tuple([Count]);

/** The events of a record in order. The cursor is the revision of the last event of the previous page. */
export const history = (
  stream: string,
  call: Call,
  asked: PageRequest,
): TE.TaskEither<InvalidCursor | Failure | Gone, Answer<never>> =>
  pagedAnswer(
    HistoryPage,
    call,
    asked,
    ({ limit, cursor }) =>
      pipe(
        TE.fromEither(readCursor(RevisionCursor, cursor)),
        TE.chainW((after) => readHistory(call.service.app.store, stream, after?.[0] ?? -1, limit)),
        TE.map(({ items, next_after }) => ({
          items,
          next_cursor: next_after === null ? null : toCursor([next_after]),
        })),
      ),
    shownHistoryEvent,
  );
