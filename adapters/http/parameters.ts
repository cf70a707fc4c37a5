import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { ProcessingStatus } from '../../domain/kernel/media.js';
import type { RecordSelection, RecordSort, VideoSelection } from '../../projections/queries.js';
import { foldedTitle } from '../../projections/tables.js';
import { type BadQuery, type Query, badQuery, flag, pageRequest, timeRangeOf, together } from './request-head.js';
import { waitOf } from './long-poll.js';
import { runStates } from '../../projections/run-status.js';
import { usageFields } from '../../projections/credit-views.js';

const oneOf = <Value extends string>(
  query: Query,
  name: string,
  is: (text: string) => text is Value,
  wanted: string,
): E.Either<BadQuery, Value | null> => {
  const given = query[name];
  if (given === undefined) return E.right(null);
  return is(given) ? E.right(given) : badQuery(name, `must be ${wanted}`);
};

const isSort = (text: string): text is RecordSort => text === 'created_at' || text === 'updated_at' || text === 'title';

const isOrder = (text: string): text is 'asc' | 'desc' => text === 'asc' || text === 'desc';

const isAudio = (text: string): text is 'audio' => text === 'audio';

const anId = 'an id of 1 to 128 characters from A-Za-z0-9._:-';

/** `key:value`; the key ends at the first colon. */
const tagOf = ({ tag }: Query): E.Either<BadQuery, VideoSelection['tag']> => {
  if (tag === undefined) return E.right(null);
  const colon = tag.indexOf(':');
  return colon < 1
    ? badQuery('tag', 'must have the form key:value')
    : E.right({ key: tag.slice(0, colon), value: tag.slice(colon + 1) });
};

/** By default, times are descending and titles ascending. */
const recordSelection = (
  query: Query,
  owner_id: RecordSelection['owner_id'],
  linked: E.Either<BadQuery, string | null>,
): E.Either<BadQuery, RecordSelection> =>
  pipe(
    together({
      status: oneOf(query, 'status', ProcessingStatus.is, `one of ${Object.keys(ProcessingStatus.keys).join(', ')}`),
      linked_id: linked,
      created: timeRangeOf(query, 'created_from', 'created_to'),
      sorted: oneOf(query, 'sort', isSort, 'created_at, updated_at or title'),
      order: oneOf(query, 'order', isOrder, 'asc or desc'),
      page: pageRequest(query),
      wait: waitOf(query),
    }),
    E.map(({ status, linked_id, created, sorted, order }) => ({
      owner_id,
      status,
      linked_id,
      title: query['title'] === undefined ? null : foldedTitle(query['title']),
      created,
      sort: sorted ?? 'created_at',
      descending: order === null ? sorted !== 'title' : order === 'desc',
    })),
  );

/** The audios selected by a query. */
export const audioSelection = (
  query: Query,
  owner_id: RecordSelection['owner_id'],
): E.Either<BadQuery, RecordSelection> => recordSelection(query, owner_id, oneOf(query, 'video_id', VideoId.is, anId));

/** The videos selected by a query. */
export const videoSelection = (
  query: Query,
  owner_id: RecordSelection['owner_id'],
): E.Either<BadQuery, VideoSelection> =>
  pipe(
    together({
      selection: recordSelection(query, owner_id, oneOf(query, 'audio_id', AudioId.is, anId)),
      needs_review: flag(query, 'needs_review'),
      tag: tagOf(query),
      expand: oneOf(query, 'expand', isAudio, 'audio'),
    }),
    E.map(({ selection, needs_review, tag, expand }) => ({
      ...selection,
      needs_review,
      tag,
      with_audio: expand !== null,
    })),
  );

/** A query parameter, with the JSON Schema of its value. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = (name: string, description: string, more: Parameter['schema'] = {}): Parameter => ({
  name,
  description,
  schema: { type: 'string', ...more },
});

const time = (name: string, description: string): Parameter => text(name, description, { format: 'date-time' });

const choice = (name: string, description: string, values: ReadonlyArray<string>): Parameter =>
  text(name, description, { enum: values });

const flagOf = (name: string, description: string): Parameter => ({ name, description, schema: { type: 'boolean' } });

const limit = (fallback: number | null): Parameter => ({
  name: 'limit',
  description: `The maximum number of items on the page${fallback === null ? '. If absent, the list is returned in full unless it is large' : ''}.`,
  schema: { type: 'integer', minimum: 1, maximum: 1_000, ...(fallback === null ? {} : { default: fallback }) },
});

const cursor = text('cursor', 'The `next_cursor` of the previous page. The other parameters must be the same.');

/** Parameters of every list. */
export const pageParameters: ReadonlyArray<Parameter> = [limit(100), cursor];
/** Parameters of the history of a record. */
export const historyParameters: ReadonlyArray<Parameter> = [limit(1_000), cursor];
/** Parameters of lists that are returned in full unless they are large. */
export const wholePageParameters: ReadonlyArray<Parameter> = [limit(null), cursor];

const seconds = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'number', minimum: 0 },
});

/** Parameters of face tracks, speaker turns and transcripts. */
export const evidenceParameters = (subjectName: 'face_id' | 'speaker_id'): ReadonlyArray<Parameter> => [
  {
    name: subjectName,
    description: `Only items of this ${subjectName === 'face_id' ? 'face' : 'speaker'}.`,
    schema: { type: 'integer', minimum: 0 },
  },
  seconds('from', 'Only items that end after this time, in seconds from the start of the medium.'),
  seconds('to', 'Only items that start before this time, in seconds from the start of the medium.'),
  limit(1_000),
  cursor,
];

export const waitParameter: Parameter = {
  name: 'wait',
  description: 'Long polling: the maximum number of seconds to wait for the result.',
  schema: { type: 'number', minimum: 0, maximum: 30, default: 0 },
};

export const trackParameters: ReadonlyArray<Parameter> = [
  ...evidenceParameters('face_id'),
  flagOf('boxes', 'true: also where in the picture each face is.'),
];

const recordListParameters: ReadonlyArray<Parameter> = [
  ...pageParameters,
  {
    ...waitParameter,
    description:
      'Only with `status=queue`: the maximum number of seconds to wait until there is a record that waits for its analysis.',
  },
  choice('status', 'Only records with this processing status.', Object.keys(ProcessingStatus.keys)),
  text('title', 'Only records whose title contains this text; case is ignored.'),
  time('created_from', 'Only records created at this time or later.'),
  time('created_to', 'Only records created before this time.'),
  choice('sort', 'The field to sort by.', ['created_at', 'updated_at', 'title']),
  choice('order', 'Ascending or descending. By default times are descending and titles ascending.', ['asc', 'desc']),
];

/** Parameters of the lists of videos and audios. */
export const videoListParameters: ReadonlyArray<Parameter> = [
  ...recordListParameters,
  text('audio_id', 'Only the video of this audio.'),
  flagOf('needs_review', 'true: only videos with suggestions that await a decision; false: only videos without.'),
  text('tag', 'Only videos with this tag, as `key:value`. The key ends at the first colon.', { pattern: '^[^:]+:' }),
  choice('expand', '`audio` adds the audio record of each video.', ['audio']),
];
export const audioListParameters: ReadonlyArray<Parameter> = [
  ...recordListParameters,
  text('video_id', 'Only the audio of this video.'),
];

export const pointInHistoryParameter = text(
  'at',
  'Returns the record as it was at this time, or at this revision (digits only).',
);

export const runStateParameter = choice('state', 'Only runs in this state.', runStates);

export const runStatusParameter = flagOf(
  'speaker_face_match_status',
  'true: return the status of the newest match run instead of the processing status.',
);

export const reviewParameters: ReadonlyArray<Parameter> = [
  text('video_id', 'Only questions about this video.'),
  choice('kind', 'Only questions of this kind.', ['link', 'name']),
  ...pageParameters,
];

const rangeParameters: ReadonlyArray<Parameter> = [
  time('from', 'Only entries at this time or later.'),
  time('to', 'Only entries before this time.'),
];

export const ledgerParameters: ReadonlyArray<Parameter> = [...rangeParameters, ...pageParameters];

export const usageParameters: ReadonlyArray<Parameter> = [
  ...rangeParameters,
  text('group_by', `One or more of ${usageFields.join(', ')}, separated by commas. If absent, there are no groups.`),
];

export const eventParameters: ReadonlyArray<Parameter> = [
  text('stream', 'Only events of this stream, for example `video-7`.'),
  text('category', 'Only events of streams of this category, for example `video`.'),
  text('type', 'Only events of this type, for example `FacesMatched` or `FacesMatched.v1`.'),
  text('actor', 'Only events caused by this API key or account (an id).'),
  text('request_id', 'Only events caused by the request with this id.'),
  choice('hide', '`bookkeeping` leaves out the events of idempotency keys.', ['bookkeeping']),
  choice('order', 'Oldest first (`asc`, the default) or newest first.', ['asc', 'desc']),
  ...rangeParameters,
  ...pageParameters,
];

/** Parameters of write-backs that accept provider documents. */
export const documentParameters: ReadonlyArray<Parameter> = [
  text('format', 'The body is a document in this provider format; `auto` detects the format.'),
  text('recording', 'The recording to read, if the document contains several.'),
  flagOf('provider_supplied', 'Whether the transcript is treated as supplied by a provider.'),
  text('fps', 'Frames a second of the video, for documents that count frames.'),
];
