import * as fc from 'fast-check';
import { browserOffer } from '../support/realtime/offers.js';

/* JSON values for bodies: existing ids, unknown ids, and whatever clients send by mistake or on purpose. */

const faceOrSpeaker = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 3 }), weight: 12 },
  { arbitrary: fc.constantFrom(0, 4, 7, 99, Number.MAX_SAFE_INTEGER), weight: 2 },
);

const anyInteger = fc.oneof(
  { arbitrary: faceOrSpeaker, weight: 12 },
  { arbitrary: fc.constantFrom(-1, -0, 2 ** 53, -(2 ** 60), 1e21), weight: 1 },
);

const words = [
  'importer.x',
  'Ada Lovelace',
  'Alan',
  'Face 1',
  'SPEAKER_01',
  'Zoë',
  '山田 太郎',
  '👩‍🔬',
  'a\u202eb',
  '<b>"\\',
  '\u0000',
];

export const text = (longest: number): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 6 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }), weight: 3 },
    { arbitrary: fc.integer({ min: 1, max: longest }).map((length) => 'x'.repeat(length)), weight: 1 },
  );

const newId = fc.integer({ min: 0, max: 30 }).map((number) => `@new-${number}`);
const oddIds = ['none', 'a'.repeat(128), 'A.b_c:d-e', '0', '__proto__', 'constructor', '...', '-'];

const id = (...known: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...known), weight: 6 },
    { arbitrary: newId, weight: 3 },
    { arbitrary: fc.constantFrom(...oddIds), weight: 1 },
  );

const finite = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 100 }), weight: 6 },
  { arbitrary: fc.double({ min: 0, max: 1e5, noNaN: true }), weight: 2 },
  { arbitrary: fc.constantFrom(0, 5e-324, 1e-7, 1e15, 1.7976931348623157e308), weight: 1 },
);

const interval = fc.tuple(finite, finite).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));

/** Any JSON, not very deep. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, -1, 0.1, ''),
    text(200),
    finite,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('record'),
  ),
  record: fc.dictionary(fc.oneof(text(40), fc.constantFrom('__proto__', 'constructor', 'toString')), tie('value'), {
    maxKeys: 4,
  }),
})).value;

const jsonObject = fc.dictionary(text(40), anyJson, { maxKeys: 4 });

const credit = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 1_000 }), weight: 6 },
  { arbitrary: fc.constantFrom(0.1, 0.000001, 123.456789, 999_999_999.999999), weight: 2 },
);

const tagKey = fc.constantFrom(
  ...Array<string>(6).fill('label.x'),
  ...Array<string>(4).fill('vpm.a'),
  'vpm.b.c',
  'demo.age',
  'survey.q1',
  'label.x',
  'user.y',
  'system.z',
  'none',
  '',
);

const mostTags = 4;

/** Tags that the predefined families accept, so that some writes succeed, and arbitrary ones. */
const tags = (families: ReadonlyArray<string>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.uniqueArray(
      fc.record({
        key: fc.constantFrom(
          ...families.flatMap((family) => ['own', 'own.c', 'own.q1'].map((end) => `${family}.${end}`)),
        ),
        value: fc.oneof(
          { arbitrary: text(100), weight: 20 },
          { arbitrary: fc.oneof(fc.boolean(), fc.integer(), fc.array(text(30), { maxLength: 3 })), weight: 1 },
        ),
      }),
      { selector: ({ key }) => key, minLength: 1, maxLength: mostTags },
    ),
    fc.array(fc.record({ key: fc.oneof(tagKey, text(1_000)), value: fc.oneof(text(100), anyJson) }), {
      minLength: 1,
      maxLength: mostTags,
    }),
  );

const dryRun = fc.option(fc.boolean());

/** An offer of a browser, and invalid ones. */
const offered: fc.Arbitrary<string> = fc.oneof(
  // Accepting one takes a second on a busy machine.
  { arbitrary: fc.constant(browserOffer), weight: 1 },
  {
    arbitrary: fc.nat({ max: browserOffer.length }).map((length) => browserOffer.slice(0, length)),
    weight: 1,
  },
  { arbitrary: text(2_000), weight: 4 },
);

/** Values for the codecs with a name and a rule. */
export const named: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  VideoId: id('@video', '@bare'),
  AudioId: id('@audio', '@apart'),
  AccountId: id('@owner', '@stranger', '@worker'),
  RunId: id('@run'),
  NamedId: anyInteger,
  FaceId: faceOrSpeaker,
  SpeakerId: faceOrSpeaker,
  Interval: interval,
  JsonObject: jsonObject,
  Metadata: jsonObject,
  Traits: jsonObject,
  NonZeroCredits: fc.oneof({ arbitrary: credit, weight: 9 }, { arbitrary: fc.constantFrom(-1, -0.5), weight: 1 }),
  CreditLimit: fc.oneof({ arbitrary: credit, weight: 9 }, { arbitrary: fc.constant(0), weight: 1 }),
  PeriodSeconds: fc.oneof(fc.integer({ min: 1, max: 3_600 }), fc.constant(31_622_400)),
  MediaUrl: fc.constantFrom('https://media.example/a.mp4', 'http://[::1]/b?c#d', `https://x/${'y'.repeat(2_000)}`),
  UserTagsBody: fc.record({ tags: tags(['label', 'user']), dry_run: dryRun }),
  ProviderTagsBody: fc.record({
    source: fc.oneof({ arbitrary: fc.constant('importer.x'), weight: 6 }, { arbitrary: text(200), weight: 1 }),
    tags: tags(['vpm', 'demo', 'survey']),
    dry_run: dryRun,
  }),
  OfferBody: fc.record({ type: fc.constant('offer'), sdp: offered }),
  TagKeyText: fc.oneof({ arbitrary: tagKey, weight: 9 }, { arbitrary: text(1_000), weight: 1 }),
  TagValue: fc.oneof({ arbitrary: text(100), weight: 9 }, { arbitrary: anyJson, weight: 1 }),
  'absent: the field was removed': fc.constant(undefined),
  SpendingWindowBody: fc.oneof(
    fc.constant({ limit: null }),
    fc.record({ limit: credit, period_seconds: fc.integer({ min: 1, max: 3_600 }) }),
  ),
  WrittenDecision: fc.oneof(
    fc.record({
      speaker_id: anyInteger,
      face_id: fc.option(anyInteger),
      verdict: fc.constant('confirmed'),
    }),
    fc.record({ speaker_id: anyInteger, face_id: anyInteger, verdict: fc.constant('rejected') }),
  ),
};
