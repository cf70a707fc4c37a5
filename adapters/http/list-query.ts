import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { ProcessingStatus } from '../../domain/kernel/media.js';
import type { RecordSelection, RecordSort, VideoSelection } from '../../projections/queries.js';
import { foldedTitle } from '../../projections/tables.js';
import { type BadQuery, type Query, badQuery, flag, pageRequest, timeRangeOf, together } from './query.js';
import { waitOf } from './wait-for-items.js';

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
