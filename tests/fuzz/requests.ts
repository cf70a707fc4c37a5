import * as fc from 'fast-check';
import type { Endpoint } from '../../adapters/http/endpoint.js';
import { arbitraryOf } from './codec-arbitrary.js';
import { type WireBody, nearMisses } from './near-misses.js';

/** The sender of a request; see `setting.ts` for the keys. */
export type Role = 'owner' | 'stranger' | 'worker' | 'mediaWriter' | 'admin' | 'nobody' | 'wrong';

const role: fc.Arbitrary<Role> = fc.oneof(
  { arbitrary: fc.constant<Role>('owner'), weight: 12 },
  { arbitrary: fc.constant<Role>('worker'), weight: 3 },
  { arbitrary: fc.constant<Role>('admin'), weight: 12 },
  { arbitrary: fc.constantFrom<Role>('stranger', 'mediaWriter', 'nobody', 'wrong'), weight: 2 },
);

type Header = readonly [name: string, value: string];

const oddHeaders: Readonly<Record<string, ReadonlyArray<string>>> = {
  'If-Match': ['*', '"0"', '"1"', 'W/"3"', '7', '"x"', '', '"99999999999999999999"', '"1", "2"'],
  'If-None-Match': ['*', '"1"', 'W/"1"', 'x'],
  'Idempotency-Key': ['a', 'b', 'c', '', ' ', 'x'.repeat(255), 'x'.repeat(256), 'é', '"quoted"'],
  'X-Request-Id': ['mine', '', 'x'.repeat(129), 'a b', '<script>', '../..'],
  Accept: ['application/x-ndjson', '*/*', 'text/html', 'x', '', 'a/b;q=nan'],
  'Content-Type': ['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '', 'x'],
  Authorization: ['Bearer none', 'Basic eDp5', 'Bearer', 'Bearer  a  b', ''],
  Origin: ['https://example.com', 'null', 'x', ''],
  'X-Forwarded-For': ['127.0.0.1', ';'],
  'X-HTTP-Method-Override': ['DELETE'],
  Cookie: ['a=b', '__proto__=1'],
  Range: ['bytes=0-1'],
  Expect: ['100-continue', '200-maybe'],
  TE: ['trailers'],
  'Content-Language': ['x'],
  ['__proto__']: ['x'],
  constructor: ['x'],
};

const header: fc.Arbitrary<Header> = fc
  .constantFrom(...Object.keys(oddHeaders))
  .chain((name) => fc.constantFrom(...(oddHeaders[name] ?? ['x'])).map((value): Header => [name, value]));

/** Mostly none. */
const headers: fc.Arbitrary<ReadonlyArray<Header>> = fc.oneof(
  { arbitrary: fc.constant<ReadonlyArray<Header>>([]), weight: 120 },
  { arbitrary: fc.array(header, { minLength: 1, maxLength: 3 }), weight: 40 },
  {
    arbitrary: fc.nat({ max: 300 }).map((count) => Array.from({ length: count }, (_, at): Header => [`X-${at}`, 'x'])),
    weight: 1,
  },
);

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
const address = (method: string, template: string): fc.Arbitrary<string> => {
  const own = paramOf(method, template);
  const parts = template.split('/').map((part) => (part.startsWith(':') ? own(part.slice(1)) : fc.constant(part)));
  return fc.tuple(fc.tuple(...parts), query).map(([path, queryText]) => `${path.join('/')}${queryText}`);
};

/** Addresses where nothing is served. */
const strayAddress: fc.Arbitrary<string> = fc.oneof(
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

/** Names of existing things in the service for generated requests: see `setting.ts`. */
export interface Names {
  /** Replaces placeholders by existing ids. */
  readonly known: (text: string) => string;
  /** The header with the key of a role. */
  readonly keyOf: (role: Role) => Readonly<Record<string, string>>;
}

export interface FuzzRequest {
  readonly method: string;
  /** A readable name, such as `PUT /v2/videos/@video/analysis`. */
  readonly label: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** It has a position that may never be reached, so it may be answered 503 after two seconds. */
  readonly waits: boolean;
}

export type Generated = (names: Names) => FuzzRequest;

/** What Node's client sends of a path; anything else it refuses itself. */
const sendable = (path: string): string => path.replaceAll(/[^\u0021-\u00ff]/gu, encodeURIComponent);

const made = (
  { known, keyOf }: Names,
  method: string,
  path: string,
  from: Role,
  extra: ReadonlyArray<Header>,
  body: WireBody | null,
): FuzzRequest => ({
  method,
  label: `${method} ${path.slice(0, 100)}`,
  path: sendable(known(path)),
  headers: {
    ...keyOf(from),
    ...(body === null || body.encoding === null ? {} : { 'Content-Encoding': body.encoding }),
    ...Object.fromEntries(extra),
  },
  body: body?.bytes,
  waits: false,
});

const noCodec = fc.constant<((known: Names['known']) => WireBody) | null>(null);

const ofEndpoint = ({ method, path, body }: Endpoint): fc.Arbitrary<Generated> =>
  fc.tuple(address(method, path), role, headers, body === null ? noCodec : nearMisses(arbitraryOf(body))).map(
    ([to, from, extra, make]) =>
      (names) =>
        made(names, method.toUpperCase(), to, from, extra, make === null ? null : make(names.known)),
  );

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Other methods and paths, with an unexpected body. */
const stray = (table: ReadonlyArray<Endpoint>): fc.Arbitrary<Generated> =>
  fc
    .tuple(
      fc.constantFrom(...methods).chain((method) =>
        fc.tuple(
          fc.constant(method),
          fc.oneof(
            strayAddress,
            fc.constantFrom(...table).chain(({ path }) => address(method, path)),
          ),
        ),
      ),
      role,
      headers,
      fc.constantFrom(null, '', '{}', 'x'.repeat(1_000)),
    )
    .map(([[method, path], from, extra, text]) => (names) => {
      const body = text === null ? null : { bytes: Buffer.from(text), encoding: null };
      return made(names, method, path, from, extra, body);
    });

/** A read with X-Min-Position. */
const behind = fc
  .tuple(
    fc.constantFrom('', '0', '1', '-1', 'x', '9'.repeat(15), '9'.repeat(40)),
    fc.constantFrom('/v2/videos', '/v2/audios'),
  )
  .map(([position, path]): Generated => (names) => ({
    ...made(names, 'GET', path, 'owner', [['X-Min-Position', position]], null),
    waits: true,
  }));

/** Requests to every endpoint; a few percent have wrong paths. */
export const requestsTo = (table: ReadonlyArray<Endpoint>): fc.Arbitrary<Generated> => {
  const bodied = table.filter(({ body }) => body !== null).map(ofEndpoint);
  const plain = table.filter(({ body }) => body === null).map(ofEndpoint);
  return fc.oneof(
    { arbitrary: fc.oneof(...bodied), weight: 1_300 },
    { arbitrary: fc.oneof(...plain), weight: 480 },
    { arbitrary: stray(table), weight: 120 },
    { arbitrary: behind, weight: 1 },
  );
};
