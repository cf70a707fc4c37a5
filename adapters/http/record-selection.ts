import * as E from 'fp-ts/lib/Either.js';
import { flow } from 'fp-ts/lib/function.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { ProcessingStatus } from '../../domain/kernel/media.js';
import type { RecordSelection, VideoSelection } from '../../projections/queries.js';
import { foldedTitle } from '../../projections/tables.js';
import {
  type Parameter,
  type Reading,
  aboutText,
  flag,
  oneOf,
  page,
  parameter,
  readAll,
  text,
  textOf,
  time,
  timeRange,
  waitFor,
} from './parameters.js';

const statuses = Object.keys(ProcessingStatus.keys).filter(ProcessingStatus.is);

const wait = waitFor(
  'Only with `status=queue`: the maximum number of seconds to wait until there is a record that waits for its analysis.',
);
const status = oneOf('status', 'Only records with this processing status.', statuses, `one of ${statuses.join(', ')}`);
const title = text('title', 'Only records whose title contains this text; case is ignored.');
const from = time('created_from', 'Only records created at this time or later.');
const to = time('created_to', 'Only records created before this time.');
const sort = oneOf('sort', 'The field to sort by.', ['created_at', 'updated_at', 'title']);
const aboutOrder = 'Ascending or descending. By default times are descending and titles ascending.';
const order = oneOf('order', aboutOrder, ['asc', 'desc']);

const anId = 'an id of 1 to 128 characters from A-Za-z0-9._:-';
const video_id = textOf('video_id', 'Only the audio of this video.', VideoId.is, anId);
const audio_id = textOf('audio_id', 'Only the video of this audio.', AudioId.is, anId);
const needs_review = flag(
  'needs_review',
  'true: only videos with suggestions that await a decision; false: only videos without.',
);
const aboutTag = 'Only videos with this tag, as `key:value`. The key ends at the first colon.';
const tag = parameter(
  aboutText('tag', aboutTag, { pattern: '^[^:]+:' }),
  (given) => {
    const colon = given.indexOf(':');
    return colon < 1 ? undefined : { key: given.slice(0, colon), value: given.slice(colon + 1) };
  },
  'have the form key:value',
);
const expand = oneOf('expand', '`audio` adds the audio record of each video.', ['audio']);

const ofRecords = [page.limit, page.cursor, wait, status, title, from, to, sort, order];
/** Parameters of the lists of videos and audios. */
export const audioListParameters: ReadonlyArray<Parameter> = [...ofRecords, video_id];
export const videoListParameters: ReadonlyArray<Parameter> = [...ofRecords, audio_id, needs_review, tag, expand];

/** By default, times are descending and titles ascending. */
const recordSelection = (linked_id: Parameter<string | null>): Reading<Omit<RecordSelection, 'owner_id'>> =>
  flow(
    readAll({ status, linked_id, created: timeRange(from, to), sort, order, ...page, wait, title }),
    E.map((given) => ({
      status: given.status,
      linked_id: given.linked_id,
      title: given.title && foldedTitle(given.title),
      created: given.created,
      sort: given.sort ?? 'created_at',
      descending: given.order === null ? given.sort !== 'title' : given.order === 'desc',
    })),
  );

/** The audios selected by a query. */
export const audioSelection = recordSelection(video_id);

/** The videos selected by a query. */
export const videoSelection: Reading<Omit<VideoSelection, 'owner_id'>> = flow(
  readAll({ selection: recordSelection(audio_id), needs_review, tag, expand }),
  E.map(({ selection, expand: expanded, ...others }) => ({ ...selection, ...others, with_audio: expanded !== null })),
);
