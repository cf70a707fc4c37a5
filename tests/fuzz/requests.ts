import * as fc from 'fast-check';
import type { Described } from './endpoint-table.js';
import { arbitraryOf } from './codec-arbitrary.js';
import { type Breaker, breaker } from './broken-framing.js';
import { handshake } from './handshakes.js';
import { type Header, type Role, headers, role } from './headers.js';
import { type WireBody, nearMisses } from './near-misses.js';
import { address, strayAddress } from './paths.js';

/** Names of existing things in the service for generated requests: see `setting.ts`. */
export interface Names {
  /** Replaces placeholders by existing ids. */
  readonly known: (text: string) => string;
  /** The header with the key of a role. */
  readonly keyOf: (role: Role) => string;
}

/** A request as bytes. */
export interface WireRequest {
  readonly method: string;
  /** A readable name, such as `PUT /v2/videos/:video_id/analysis`. */
  readonly label: string;
  readonly bytes: Buffer;
  /** Whether it is one request with one answer; otherwise it is malformed HTTP and needs a separate connection. */
  readonly whole: boolean;
  /** It has a position that may never be reached, so it may be answered 503 after two seconds. */
  readonly waits: boolean;
}

export type Generated = (names: Names) => WireRequest;

const noBody: WireBody = { bytes: Buffer.alloc(0), encoding: null };

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly role: Role;
  readonly headers: ReadonlyArray<Header>;
  readonly body: WireBody | null;
  readonly chunked: boolean;
  readonly keyOf: Names['keyOf'];
}

const chunksOf = (bytes: Buffer): Buffer => {
  const at = Math.ceil(bytes.length / 3);
  const pieces = [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
  const framed = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
};

const bytesOf = ({ method, path, role, headers, body, chunked, keyOf }: Parts): Buffer => {
  const { bytes, encoding } = body ?? noBody;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: fuzz',
    keyOf(role),
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
    ...(body === null ? [] : [chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ].filter((line) => line !== '');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return body === null ? head : Buffer.concat([head, chunked ? chunksOf(bytes) : bytes]);
};

const noCodec = fc.constant<((known: Names['known']) => WireBody) | null>(null);

const ofEndpoint = ({ method, path, body }: Described): fc.Arbitrary<Generated> =>
  fc
    .tuple(
      address(method, path),
      role,
      headers,
      body === null ? noCodec : nearMisses(arbitraryOf(body)),
      fc.nat({ max: 9 }).map((n) => n === 0),
    )
    .map(([path, from, extra, make, chunked]) => ({ known, keyOf }) => ({
      method: method.toUpperCase(),
      label: `${method.toUpperCase()} ${path}`,
      bytes: bytesOf({
        method: method.toUpperCase(),
        path: known(path),
        role: from,
        headers: extra,
        body: make === null ? null : make(known),
        chunked,
        keyOf,
      }),
      whole: true,
      waits: false,
    }));

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Other methods and paths, with an unexpected body. */
const stray = (table: ReadonlyArray<Described>): fc.Arbitrary<Generated> =>
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
    .map(([[method, path], from, extra, text]) => ({ known, keyOf }) => ({
      method,
      label: `${method} stray`,
      bytes: bytesOf({
        method,
        path: known(path),
        role: from,
        headers: extra,
        body: text === null ? null : { bytes: Buffer.from(text), encoding: null },
        chunked: false,
        keyOf,
      }),
      whole: true,
      waits: false,
    }));

/** A read with X-Min-Position. */
const behind = fc
  .tuple(
    fc.constantFrom('', '0', '1', '-1', 'x', '9'.repeat(15), '9'.repeat(40)),
    fc.constantFrom('/v2/videos', '/v2/audios'),
  )
  .map(([position, path]): Generated => ({ keyOf }) => ({
    method: 'GET',
    label: `GET ${path} with X-Min-Position`,
    bytes: bytesOf({
      method: 'GET',
      path,
      role: 'owner',
      headers: [['X-Min-Position', position]],
      body: null,
      chunked: false,
      keyOf,
    }),
    whole: true,
    waits: true,
  }));

const broken = (sound: fc.Arbitrary<Generated>): fc.Arbitrary<Generated> =>
  fc
    .tuple(sound, breaker, fc.nat({ max: 10_000 }))
    .map(([make, { name, breakFraming }, place]: readonly [Generated, Breaker, number]): Generated => (names) => {
      const request = make(names);
      return { ...request, label: `broken: ${name}`, bytes: breakFraming(request.bytes, place), whole: false };
    });

/** Requests to every endpoint; a few percent have wrong paths or are malformed HTTP. */
export const requestsTo = (table: ReadonlyArray<Described>): fc.Arbitrary<Generated> => {
  const bodied = table.filter(({ body }) => body !== null).map(ofEndpoint);
  const plain = table.filter(({ body }) => body === null).map(ofEndpoint);
  const sound = fc.oneof({ arbitrary: fc.oneof(...bodied), weight: 65 }, { arbitrary: fc.oneof(...plain), weight: 24 });
  return fc.oneof(
    { arbitrary: sound, weight: 1_780 },
    { arbitrary: stray(table), weight: 120 },
    { arbitrary: broken(sound), weight: 100 },
    { arbitrary: handshake, weight: 20 },
    { arbitrary: behind, weight: 1 },
  );
};
