import * as fc from 'fast-check';

/** Unusual JSON texts, as they are sent. */
export const oddJson: ReadonlyArray<string> = [
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

/** Names of fields of real bodies, so that random bodies resemble them. */
const fields = [
  'mappings',
  'face_id',
  'speaker_id',
  'name',
  'matches',
  'accuracy',
  'run_id',
  'status',
  'faces',
  'id',
  'tracks',
  'start',
  'end',
  'speakers',
  'segments',
  'transcript',
  'target_speaker_ids',
  'target_face_ids',
  'personality_traits',
  'tags',
  'key',
  'value',
  'source',
  'from',
  'into',
  '__proto__',
  'constructor',
];

const leaf = fc.oneof(
  fc.constantFrom('completed', 'failed', 'agent', '', 'Ada', '\u0000', '\ud800'),
  fc.integer({ min: -2, max: 4 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

/** Random JSON values that resemble bodies. */
export const bodyLike: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 5 }),
})).value;
