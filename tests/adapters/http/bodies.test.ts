import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { fixtureText, right } from '../import/support.js';
import { type MalformedBody, decodeBody, parseJson } from '../../../adapters/http/decode.js';
import { endpoints } from '../../../adapters/http/endpoints.js';
import { SpendingWindowBody } from '../../../adapters/http/codecs/access.js';
import { AudioAnalysisBody, RegisterVideoBody } from '../../../adapters/http/codecs/media.js';
import { list } from '../../../adapters/http/codecs/values.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { shortOrLong } from '../../support/long-form.js';
import { schemaWriter } from '../../../adapters/http/description/schema.js';

const bodies = new Map<string, t.Mixed | null>(endpoints.map(({ operation, body }) => [operation, body]));

/** The codec of the body of an operation. */
const bodyOf = (operation: string): t.Mixed => {
  const body = bodies.get(operation);
  if (body === undefined || body === null) throw new Error(`${operation} takes no body`);
  return body;
};

const decodedBody = (operation: string, body: unknown): E.Either<MalformedBody, unknown> =>
  decodeBody(bodyOf(operation), body);

/** Bodies that are refused, by operation, each with the places that its errors name. */
const Malformed = t.record(t.string, t.array(t.tuple([t.unknown, t.array(t.string)])));
const malformed = right(Malformed.decode(JSON.parse(fixtureText('malformed-bodies.json'))));

describe('a malformed body', () => {
  for (const [operation, bodies] of Object.entries(malformed))
    it(`is refused at the place of each error: ${operation}`, () => {
      for (const [body, paths] of bodies) {
        const decoded = decodedBody(operation, body);
        const errors = E.isLeft(decoded) ? decoded.left.errors : [];
        expect(
          errors.map(({ path }) => path),
          JSON.stringify(body)?.slice(0, 200),
        ).to.include.members(paths);
      }
    });
});

const refusal = (answer: E.Either<MalformedBody, unknown>): MalformedBody => {
  if (E.isLeft(answer)) return answer.left;
  throw new Error('it was taken');
};

describe('the errors of a malformed body', () => {
  it('name the invalid field, and not also the objects around it', () => {
    const body = { status: 'completed', speakers: [], segments: [], transcript: [{ speaker_id: 0, start: 0, end: 1 }] };
    expect(refusal(decodeBody(AudioAnalysisBody, body)).errors).to.deep.equal([
      { path: 'transcript[0].text', message: 'is missing; it must be a text of at most 100,000 characters' },
    ]);
  });

  it('end with null where that is permitted too, after a comma', () => {
    const { errors } = refusal(decodeBody(RegisterVideoBody, { video_id: '.', kind: 'film' }));
    expect(errors).to.deep.equal([
      {
        path: 'video_id',
        message: 'must be an id of 1 to 128 characters from A-Za-z0-9._:-, other than . and .., or null',
      },
      { path: 'kind', message: 'must be upload or meeting, or null' },
    ]);
  });

  it('contain no internal type names', () =>
    expect(refusal(decodeBody(SpendingWindowBody, null)).errors).to.deep.equal([
      { path: '', message: 'must be an object' },
    ]));

  it('concern the body itself if it is not JSON', () =>
    ['', '{', '[1,]', '\u0000'].forEach((text) => {
      const { message, errors } = refusal(parseJson(Buffer.from(text)));
      expect(errors).to.deep.equal([{ path: '', message }]);
      expect(message).to.match(/^The body is /);
    }));
});

const limit = 100_000;
const inner = { name: t.string, at: t.union([Interval, t.null]) };
const bounded = t.type({
  rows: list(t.intersection([t.type(inner), t.partial({ more: list(t.number, limit, 'numbers') })]), limit, 'rows'),
});
const plain = t.type({
  rows: t.readonlyArray(t.intersection([t.type(inner), t.partial({ more: t.readonlyArray(t.number) })])),
});

const odd = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant({}), fc.constant([]));
const row = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.string(), at: fc.constant(null) }) },
  fc.record({ name: odd, at: odd, more: fc.array(fc.oneof(fc.integer(), odd), { maxLength: 60 }) }),
  odd,
);

describe('decoding that stops early', () => {
  it('reports the same errors as decoding everything', () =>
    fc.assert(
      fc.property(fc.oneof(fc.record({ rows: fc.array(row, { maxLength: 80 }) }), fc.record({ rows: odd })), (body) => {
        const answer = decodeBody(bounded, body);
        expect(answer).to.deep.equal(decodeBody(plain, body));
      }),
      { numRuns: shortOrLong(60, 300) },
    ));

  it('does not decode items after the twenty-first invalid one', () => {
    let looked = 0;
    const item = new t.Type<number>(
      'a number',
      t.number.is,
      (value, context) => {
        looked += 1;
        return t.number.validate(value, context);
      },
      t.identity,
    );
    const answer = decodeBody(t.type({ items: list(item, limit, 'items') }), { items: Array(50_000).fill('wrong') });
    expect(E.isLeft(answer) && answer.left.errors.length).to.equal(20);
    expect(looked).to.equal(21);
  });
});

const many = (size: number, item: unknown): ReadonlyArray<unknown> => Array<unknown>(size).fill(item);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Of each limit: the operation, its words, the place of the value, an item of a list or how a value of a size is made, and
 * what else the body has.
 */
const Limits = t.array(t.tuple([t.string, t.string, t.string, t.unknown, t.unknown]));
const limits = right(Limits.decode(JSON.parse(fixtureText('limits.json'))));
const span = { start: 0, end: 1 };
const makers: Readonly<Record<string, (size: number) => unknown>> = {
  text: (size) => 'é'.repeat(size),
  /** JSON with this many characters. */
  json: (size) => ({ a: 'x'.repeat(size - '{"a":""}'.length) }),
  url: (size) => `http://a/${'x'.repeat(size - 9)}`,
};

const most = (words: string): number =>
  Number.parseInt(words.replaceAll(',', ''), 10) * (words.endsWith('KiB') ? 1_024 : 1);

/** A body with a value at a place. */
const placed = (rest: unknown, path: string, value: unknown): unknown => {
  if (path === '') return value;
  const body: unknown = structuredClone(rest);
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const holder = keys.slice(0, -1).reduce((one, key) => (isObject(one) ? Reflect.get(one, key) : one), body);
  if (isObject(holder)) Reflect.set(holder, keys.at(-1) ?? '', value);
  return body;
};

const isRefusedBeyond = (operation: string, words: string, path: string, body: (size: number) => unknown): void => {
  expect(E.isRight(decodedBody(operation, body(most(words)))), 'at the limit').to.equal(true);
  const beyond = decodedBody(operation, body(most(words) + 1));
  const errors = E.isLeft(beyond) ? beyond.left.errors : [];
  expect(errors.map((error) => error.path)).to.deep.equal([path]);
  expect(errors[0]?.message).to.include(words);
};

describe('the limits of what arrives', () => {
  for (const [operation, words, path, value, rest] of limits)
    it(`of ${operation}: ${words}${path === '' ? '' : ` in ${path}`}`, () => {
      const make = typeof value === 'string' ? makers[value] : undefined;
      isRefusedBeyond(operation, words, path, (size) => placed(rest ?? {}, path, make?.(size) ?? many(size, value)));
    });

  const parts = {
    tracks: span,
    talking: { ...span, score: 1 },
    captions: { ...span, text: 'x' },
    boxes: { at: 0, left: 0, top: 0, width: 1, height: 1 },
  };
  for (const [field, item] of Object.entries(parts))
    it(`of all faces together: 200,000 ${field}`, () => {
      const [first, second] = [1, 2].map((id) => ({ id, tracks: [] }));
      isRefusedBeyond('videos.recordAnalysis', `200,000 ${field} in total`, 'faces', (size) => ({
        status: 'completed',
        faces: [
          { ...first, [field]: many(size - 1, item) },
          { ...second, [field]: [item] },
        ],
      }));
    });

  it('of JSON include its depth: a value of any depth is refused, not a failure', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    for (const levels of [33, 100_000]) {
      const answer = decodedBody('tags.set', { tags: [{ key: 'label.a', value: nested(levels) }] });
      expect(E.isLeft(answer) && answer.left.errors[0]?.path).to.equal('tags[0].value');
    }
  });

  it('are in the OpenAPI document, but for those that JSON Schema cannot say', () => {
    const { of, named } = schemaWriter();
    const described = JSON.stringify([limits.map(([operation]) => of(bodyOf(operation))), named()]);
    for (const [, words] of limits)
      if (!words.endsWith('KiB'))
        expect(described).to.include(`"max${words.endsWith('characters') ? 'Length' : 'Items'}":${most(words)}`);
  });
});
