import * as fc from 'fast-check';
import type { Endpoint } from '../../adapters/http/endpoint.js';
import { arbitraryOf } from './codec-arbitrary.js';
import { type Header, type Role, headers, role } from './headers.js';
import { type WireBody, nearMisses } from './near-misses.js';
import { address, strayAddress } from './paths.js';

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
