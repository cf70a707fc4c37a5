import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { anyJson } from './values.js';

/* Makes valid bodies invalid: as values, as text, as bytes. */

/** A body as it is sent. */
export interface WireBody {
  readonly bytes: Buffer;
  /** Content-Encoding; null: none. */
  readonly encoding: string | null;
}

/** Unusual JSON texts, as they are sent. */
const oddJson: ReadonlyArray<string> = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740992',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"1"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"__proto__"',
  '[]',
  '[null]',
  '[[]]',
  '["1"]',
  '[1e999]',
  '[-1]',
  '{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":1,"0":1}',
  '{"toString":1,"valueOf":null}',
  '{"a":1,"a":"2"}',
  JSON.stringify('x'.repeat(11_000)),
  JSON.stringify(Array.from({ length: 500 }, () => null)),
  `${'['.repeat(500)}${']'.repeat(500)}`,
];

const many = (count: number, item: string): string => `[${`${item},`.repeat(count - 1)}${item}]`;

/** Values that are larger or deeper than usual; created on use. */
const large: ReadonlyArray<() => string> = [
  () => many(1_001, '{"key":"label.a","value":1}'),
  () => many(10_001, '{"face_id":1,"speaker_id":1}'),
  () => many(10_001, '{}'),
  () => many(30_000, '1'),
  () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  () => '9'.repeat(5_000),
  () => JSON.stringify('x'.repeat(100_000)),
  () => `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
];

const replacement = '\u0001here\u0001';
const marker = JSON.stringify(replacement);

/** Replaces the n-th value of a body, in the order of its text. */
const withReplaced = (body: unknown, place: number, by: string | undefined): string => {
  let places = 0;
  JSON.stringify(body, (_, value: unknown) => ((places += 1), value));
  const wanted = place % Math.max(1, places);
  let at = -1;
  const json = JSON.stringify(body, (_, value: unknown) => {
    at += 1;
    if (at !== wanted) return value;
    return by === undefined ? undefined : replacement;
  });
  return json === undefined ? 'null' : json.replace(marker, () => by ?? '');
};

type Mutation = (body: unknown, place: number, odd: string) => string;

const mutations: ReadonlyArray<{ readonly weight: number; readonly mutate: Mutation }> = [
  { weight: 60, mutate: (body) => JSON.stringify(body) ?? 'null' },
  { weight: 80, mutate: (body, place, odd) => withReplaced(body, place, odd) },
  { weight: 20, mutate: (body, place) => withReplaced(body, place, undefined) },
  {
    weight: 8,
    mutate: (body, place) => JSON.stringify(body).replace(/[{,]/, (head) => `${head}"target_face_ids":[${place}],`),
  },
  { weight: 6, mutate: (body) => `[${JSON.stringify(body)}]` },
  { weight: 6, mutate: (body) => `{"body":${JSON.stringify(body)}}` },
  { weight: 6, mutate: (body, place) => JSON.stringify(body).slice(0, place % 200) },
  { weight: 4, mutate: (body, _, odd) => `${JSON.stringify(body)}${odd}` },
  { weight: 3, mutate: (body) => `\ufeff${JSON.stringify(body)}` },
  { weight: 3, mutate: (body) => JSON.stringify(body).replaceAll('"', "'") },
  { weight: 3, mutate: (body) => `/* */ ${JSON.stringify(body)} // x` },
  { weight: 3, mutate: (body) => JSON.stringify(body, null, '\t').replaceAll('\n', '\r\n') },
  { weight: 3, mutate: (body) => JSON.stringify(body).replace(/("[^"]*":)/, '$1$1') },
  {
    weight: 3,
    mutate: (body) => JSON.stringify(body).replace(/"([a-z_]+)":/, (_, name: string) => `"${name.toUpperCase()}":`),
  },
  { weight: 2, mutate: (body, place) => withReplaced(body, place, large[place % large.length]?.()) },
  { weight: 2, mutate: () => '' },
  { weight: 2, mutate: () => ' \n\t ' },
  { weight: 4, mutate: (_body, _place, odd) => odd },
];

type Encode = (text: string, place: number) => WireBody;

const plain = (bytes: Buffer): WireBody => ({ bytes, encoding: null });
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };
const wrongByte = (text: string, place: number, byte: number): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes[place % bytes.length] = byte;
  return bytes;
};

const encoders: ReadonlyArray<{ readonly weight: number; readonly encode: Encode }> = [
  { weight: 170, encode: (text) => plain(Buffer.from(text)) },
  { weight: 6, encode: (text) => ({ bytes: gzipSync(text, { level: 1 }), encoding: 'gzip' }) },
  { weight: 3, encode: (text) => ({ bytes: deflateSync(text), encoding: 'deflate' }) },
  { weight: 3, encode: (text) => ({ bytes: brotliCompressSync(text, quick), encoding: 'br' }) },
  { weight: 2, encode: (text) => ({ bytes: Buffer.from(text), encoding: 'gzip' }) },
  { weight: 2, encode: (text, place) => ({ bytes: gzipSync(text).subarray(0, place % 40), encoding: 'gzip' }) },
  {
    weight: 2,
    encode: (text, place) => ({ bytes: wrongByte(gzipSync(text).toString('latin1'), place, 0), encoding: 'gzip' }),
  },
  { weight: 1, encode: (text) => ({ bytes: gzipSync(gzipSync(text)), encoding: 'gzip, gzip' }) },
  { weight: 2, encode: (text) => ({ bytes: Buffer.from(text), encoding: 'zstd' }) },
  { weight: 2, encode: (text) => ({ bytes: Buffer.from(text), encoding: 'identity' }) },
  { weight: 1, encode: (text) => ({ bytes: Buffer.from(text), encoding: '' }) },
  { weight: 2, encode: (text) => plain(Buffer.from(text, 'utf16le')) },
  { weight: 2, encode: (text) => plain(Buffer.from(text, 'latin1')) },
  { weight: 2, encode: (text, place) => plain(wrongByte(text, place, 0xff)) },
  { weight: 2, encode: (text, place) => plain(wrongByte(text, place, 0)) },
];

const weighted = <Item>(items: ReadonlyArray<{ readonly weight: number } & Item>): fc.Arbitrary<Item> =>
  fc.oneof(...items.map((item) => ({ weight: item.weight, arbitrary: fc.constant<Item>(item) })));

const mutationOf = (valid: fc.Arbitrary<unknown>) =>
  fc.tuple(
    fc.oneof({ arbitrary: valid, weight: 19 }, { arbitrary: anyJson, weight: 1 }),
    weighted(mutations),
    fc.nat({ max: 10_000 }),
    fc.constantFrom(...oddJson),
  );

/** Texts of bodies that are nearly valid for a codec, and some valid ones. */
export const nearMissTexts = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  mutationOf(valid).map(([body, { mutate }, place, odd]) => mutate(body ?? null, place, odd));

/** Bodies that are nearly valid for a codec; `known` replaces placeholders before they are encoded. */
export const nearMisses = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<(known: (text: string) => string) => WireBody> =>
  fc.tuple(mutationOf(valid), weighted(encoders)).map(
    ([[body, { mutate }, place, odd], { encode }]) =>
      (known) =>
        encode(known(mutate(body ?? null, place, odd)), place),
  );
