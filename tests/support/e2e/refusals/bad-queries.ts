import type { Media } from '../media.js';

const lists = ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'cursor=x'];
const times = ['from=yesterday', 'from=', 'to=7', 'from=2001-01-01&to=2000-01-01'];
const filters = [
  'status=done',
  'created_to=2026-02-30',
  'created_from=2026-02-02&created_to=2026-02-01',
  'sort=owner_id',
  'order=up',
  'wait=1',
  'wait=1&status=completed',
  'wait=31&status=queue',
  'wait=x&status=queue',
];

/** Paths of reads, and queries that are refused with the name of their first parameter. */
export const badQueries = (media: Media): Readonly<Record<string, ReadonlyArray<string>>> => ({
  '/v1/accounts': lists,
  '/v1/accounts/owner/keys': lists,
  '/v1/accounts/owner/ledger': [...lists, ...times],
  '/v1/accounts/owner/usage': ['group_by=week', 'group_by=', 'group_by=day,', ...times],
  '/v2/videos': [
    ...lists,
    ...filters,
    'needs_review=perhaps',
    'tag=label.mood',
    'tag=:x',
    'expand=video',
    'audio_id=%20',
  ],
  '/v2/audios': [...lists, ...filters, 'video_id=%20'],
  '/v2/review': [...lists, 'kind=face'],
  '/v2/match-runs': [...lists, 'wait=31', 'wait=-1', 'wait=x', 'wait=', 'state=open'],
  '/v1/audit/late-writes': lists,
  '/v1/audit/events': [
    ...lists,
    'stream=',
    'stream=a%20b',
    'category=video-1',
    'type=Faces%20Matched',
    'type=FacesMatched.v',
    'actor=%20',
    'request_id=%F0%9F%98%80',
    'to=2026-02-30T00:00:00Z',
    'order=up',
    'hide=all',
    'from=2026-01-01T00:00:00',
    'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ],
  [media.runs]: lists,
  [`${media.video}/tags`]: [...lists, 'cursor=label.none'],
  [`${media.video}/history`]: lists,
  [`${media.video}/tracks`]: [...lists, 'from=x', 'to=-1', 'from=2&to=1', 'face_id=-1', 'face_id=x', 'boxes=some'],
  [`${media.audio}/segments`]: [...lists, 'speaker_id=x'],
  [`${media.audio}/transcript`]: lists,
  [`${media.video}/statuses`]: ['', 'yes', 'null'].map((odd) => `speaker_face_match_status=${odd}`),
  ...Object.fromEntries(
    [media.video, media.audio].map((record) => [
      record,
      ['2030-01-01T00:00:00', '', '-1', '1.5', '2026-02-30', '99999999999999999999'].map((at) => `at=${at}`),
    ]),
  ),
});
