import * as fc from 'fast-check';

/* Paths and queries of the endpoints, mostly with existing ids. */

const odd = [
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%E0%80%80',
  '%zz',
  'a%2Fb',
  '-1',
  '1e9',
  '99999999999999999999',
  '%F0%9F%92%A9',
  'é',
  '__proto__',
  "x'--",
  'x'.repeat(129),
  'x'.repeat(4_000),
  '*',
  ';',
  '%25',
];

const params: Readonly<Record<string, ReadonlyArray<string>>> = {
  video_id: [...Array<string>(10).fill('@video'), '@bare', '@new-1', '@new-2', 'none'],
  audio_id: [...Array<string>(10).fill('@audio'), '@apart', '@apart', '@new-1', 'none'],
  account_id: [...Array<string>(6).fill('@owner'), '@stranger', '@worker', '@new-1', 'none'],
  run_id: ['@run', '@run', 'none'],
  session_id: ['@session', '@session', '@session', 'none'],
  key_id: ['@key', '@made', '@made', 'none'],
  position: ['@faceChange', '@speakerChange', 'none', '-1'],
  face_id: ['1', '2', '3', '9'],
  speaker_id: ['1', '2', '3', '9'],
  key: ['vpm.a', 'label.x', 'label.*', 'user.y', 'none.at.all'],
};

/** A value for a path parameter. A parameter that is not listed here gets an unknown id. */
const param = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...(params[name] ?? ['none'])), weight: 24 },
    { arbitrary: fc.constantFrom(...odd), weight: 1 },
  );

const times = ['2020-01-01T00:00:00.000Z', '2035-01-01', '2026-02-30', '0', '1e3', 'now', '2020-01-01T00:00:00+99:00'];
const texts = ['', ' ', 'a', '%00', '%ff', '%F0%9F%92%A9', 'x'.repeat(2_000), '%5B%5D', 'true', 'null', '*'];

const values: Readonly<Record<string, ReadonlyArray<string>>> = {
  limit: ['1', '10', '1000', '0', '1001', '-1', '1.5', '00001', '1e3', 'NaN'],
  cursor: ['0', '5', '999999999999999', '-1', 'eyJhIjoxfQ', '9'.repeat(300), 'bm9uZQ==', 'x'],
  from: times,
  to: times,
  at: ['0', '1', '3', '999999999', '99999999999999999', ...times],
  stream: ['video-@video', 'video-none', 'x', 'x'.repeat(600), 'audio-@audio'],
  category: ['video', 'audio', 'creditAccount', 'x-y', '1'],
  type: ['FacesMatched', 'FacesMatched.v1', 'VideoRegistered', '.v1', 'x'.repeat(200)],
  actor: ['@owner', '@worker', 'none'],
  request_id: ['none', 'x'.repeat(300)],
  speaker_face_match_status: ['true', 'TRUE', '0', 'yes', ''],
  format: ['auto', 'rttm', 'whisperx', 'srt', 'none', ''],
  recording: ['a', ''],
  provider_supplied: ['true', 'false', 'x'],
  face_id: ['1', '-1', 'x', '9999999999999999999'],
  speaker_id: ['1', '-1', 'x', '1.0'],
  status: ['completed', 'queue', 'x'],
  title: ['x', '%25', '_'],
  tag: ['label.x:1', 'label.x', ':', 'vpm.a:%22x%22'],
  sort: ['created_at', 'updated_at', 'title', 'x'],
  order: ['asc', 'desc', 'x'],
  expand: ['audio', 'x'],
  needs_review: ['true', 'x'],
  created_from: times,
  created_to: times,
  kind: ['link', 'name', 'x'],
  /* A short time only, because the request waits for a run in flight. */
  wait: ['0', '-1', '1.5', '31', '1e0', 'x', ''],
  state: ['in_flight', 'queued', 'x', ''],
  group_by: ['day', 'day,month', 'key,category,day,month', 'x', ''],
  '%00': texts,
  ['__proto__']: texts,
  unknown: texts,
};

const names = Object.keys(values);

const pair = fc
  .constantFrom(...names)
  .chain((name) =>
    fc
      .oneof(
        { arbitrary: fc.constantFrom(...(values[name] ?? texts)), weight: 4 },
        { arbitrary: fc.constantFrom(...texts), weight: 1 },
      )
      .map((value) => `${name}=${value}`),
  );

const query = fc.oneof(
  { arbitrary: fc.constant(''), weight: 60 },
  { arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`), weight: 40 },
  { arbitrary: fc.constantFrom('?', '?&&&', '?=', '?a', `?${'a=1&'.repeat(500)}`, '?a[b]=1', '?%'), weight: 1 },
);

/** An erasure affects all later requests, so mostly a medium created by a request is erased. */
const toErase = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 30 }).map((number) => `@new-${number}`), weight: 400 },
  { arbitrary: fc.constantFrom('none', ...odd), weight: 40 },
  { arbitrary: fc.constantFrom('@video', '@audio', '@bare', '@apart'), weight: 1 },
);
/** The same applies to an ended session. */
const toEnd = fc.oneof(
  { arbitrary: fc.constantFrom('none', ...odd), weight: 30 },
  { arbitrary: fc.constant('@session'), weight: 1 },
);

/** The parameters of an endpoint's path by their names. */
const paramOf = (method: string, template: string): ((name: string) => fc.Arbitrary<string>) => {
  if (method.toLowerCase() === 'delete' && /^\/v2\/(?:videos|audios)\/:\w+$/.test(template)) return () => toErase;
  return method.toLowerCase() === 'post' && template.endsWith('/:session_id/end') ? () => toEnd : param;
};

/** Addresses of an endpoint, as in `/v2/videos/@video?limit=0`. */
export const address = (method: string, template: string): fc.Arbitrary<string> => {
  const own = paramOf(method, template);
  const parts = template.split('/').map((part) => (part.startsWith(':') ? own(part.slice(1)) : fc.constant(part)));
  return fc.tuple(fc.tuple(...parts), query).map(([path, queryText]) => `${path.join('/')}${queryText}`);
};

/** Addresses where nothing is served. */
export const strayAddress: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '/v2',
    '/v2/',
    '/v3/videos',
    '/v2/videos/',
    '/v2//videos',
    '/.env',
    '/../etc/passwd',
    '/%',
  ),
  fc.constantFrom('/V2/VIDEOS', '/v2/videos/@bare/', '/v2/videos/@video/x'),
  fc.string({ maxLength: 40 }).map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
);
