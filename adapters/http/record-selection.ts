import * as E from 'fp-ts/lib/Either.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { ProcessingStatus } from '../../domain/kernel/media.js';
import { foldedTitle } from '../../projections/tables.js';
import {
  type Parameter,
  aboutText,
  badQuery,
  checked,
  flag,
  oneOf,
  page,
  parameter,
  range,
  readAll,
  text,
  textOf,
  time,
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

/**
 * Which records to list, which page of them, and for how many seconds to wait until there is one. By default, times are
 * descending and titles ascending.
 */
const recordSelection = (linked_id: Parameter<string | null>) =>
  checked(
    readAll({ page, wait, status, title, created: range(from, to), sort, order, linked_id }),
    ({ page: asked, wait: seconds, title: part, sort: by, order: direction, ...others }) =>
      seconds !== null && others.status !== 'queue'
        ? badQuery('wait', 'needs status=queue')
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
export const askedVideos = checked(
  readAll({ asked: recordSelection(audio_id), needs_review, tag, expand }),
  ({ asked: { selection, ...others }, expand: expanded, ...more }) =>
    E.right({ ...others, selection: { ...selection, ...more, with_audio: expanded !== null } }),
);
