import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import type { OperationId } from '../../../adapters/runtime/operations.js';
import { decodedBody } from '../../support/contract/bodies.js';
import { SpendingWindowBody } from '../../../adapters/http/codecs/access.js';
import { AudioAnalysisBody, RegisterVideoBody } from '../../../adapters/http/codecs/media.js';
import { type MalformedBody, decodeBody, parseJson } from '../../../adapters/http/decode.js';
import { list } from '../../../adapters/http/codecs/values.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { shortOrLong } from '../../support/long-form.js';

/** A body that is refused, and the places that its errors name. */
type Malformed = readonly [body: unknown, ...paths: ReadonlyArray<string>];

const span = { start: 0, end: 1 };
const tag = { key: 'vpm.a', value: 'x' };
const source = 'importer.vpm';
const box = { at: 1, left: 0, top: 0, width: 1, height: 1 };
const face = (parts: object) => ({ status: 'completed', faces: [{ id: 1, tracks: [], ...parts }] });
const speech = (parts: object) => ({ status: 'completed', speakers: [{ speaker_id: 1 }], segments: [], ...parts });
/** The same error for each value of a field. */
const ofField = (field: string, values: ReadonlyArray<unknown>, rest: object = {}): Malformed[] =>
  values.map((value) => [{ ...rest, [field]: value }, field]);

const badIds = ['', '..', 'a b', 'a/b', 'ü', 'x'.repeat(129), '\u0000', 7];

const refused: Partial<Record<OperationId, ReadonlyArray<Malformed>>> = {
  'matches.commit': [
    [{}, 'mappings'],
    [{ mappings: [null] }, 'mappings[0]'],
    [{ mappings: [{ face_id: 1, speaker_id: 1 }, { face_id: '2' }] }, 'mappings[1].face_id', 'mappings[1].speaker_id'],
    [{ mappings: [{ face_id: 1, speaker_id: 1.5, name: 7 }] }, 'mappings[0].speaker_id', 'mappings[0].name'],
  ],
  'matches.run': [
    ...ofField('target_face_ids', [[1], null], { target_speaker_ids: [1] }),
    [{ target_speaker_ids: [1, '2'] }, 'target_speaker_ids[1]'],
    [null, ''],
  ],
  'matches.writeBack': [
    [{ status: 'done', matches: [] }, 'status'],
    [{ status: 'failed', error: 5 }, 'error'],
    ...ofField('run_id', [7, '..'], { matches: [] }),
    ...[undefined, 1.01, -0.01].map((accuracy): Malformed => [
      { matches: [{ face_id: 1, speaker_id: 1, accuracy }] },
      'matches[0].accuracy',
    ]),
  ],
  'decisions.create': [
    [{ decisions: [{ speaker_id: 1, verdict: 'confirmed' }] }, 'decisions[0].face_id'],
    [{ decisions: [{ speaker_id: 1, face_id: 1, verdict: 'perhaps' }] }, 'decisions[0].verdict'],
  ],
  'runs.revert': ofField('dry_run', ['yes']),
  'videos.create': [
    ...ofField('video_id', badIds),
    ...ofField('audio_id', ['.']),
    ...ofField('media_url', ['x', 'ftp://media.example/x', 'https://', 5]),
    [{ title: 5, kind: 'film' }, 'title', 'kind'],
  ],
  'audios.create': [
    ...ofField('audio_id', ['.']),
    ...ofField('video_id', ['.']),
    [{ deal_persons: [{}] }, 'deal_persons[0].person_id'],
  ],
  'audios.update': ofField('title', [5]),
  'videos.recordAnalysis': [
    [{}, 'status', 'faces'],
    [{ status: 'completed', faces: [{}] }, 'faces[0].id', 'faces[0].tracks'],
    [face({ tracks: [{ start: 2, end: 1 }] }), 'faces[0].tracks[0]'],
    [face({ tracks: [{ start: -1, end: 1 }] }), 'faces[0].tracks[0]'],
    [face({ tracks: [span, { start: '0' }] }), 'faces[0].tracks[1].start'],
    [face({ talking: [{ ...span, score: 1.5 }] }), 'faces[0].talking[0].score'],
    [face({ captions: [span] }), 'faces[0].captions[0].text'],
    [face({ personality_traits: [], name: 1 }), 'faces[0].personality_traits', 'faces[0].name'],
    ...[{ left: -0.1 }, { top: 1.1 }, { height: '1' }, { at: -1 }].map((wrong): Malformed => [
      face({ boxes: [{ ...box, ...wrong }] }),
      `faces[0].boxes[0].${Object.keys(wrong).join('')}`,
    ]),
  ],
  'audios.recordAnalysis': [
    [{}, 'status', 'speakers', 'segments'],
    [speech({ segments: [span] }), 'segments[0].speaker_id'],
    [speech({ speakers: [{ speaker_id: 1, role: 'boss' }] }), 'speakers[0].role'],
    [speech({ provider_supplied: 'yes', speech_segments: 1 }), 'provider_supplied', 'speech_segments'],
  ],
  'faces.recordTraits': ofField('personality_traits', [null, []]),
  'audios.replaceTranscript': ofField('transcript', [undefined]),
  'faces.rename': [
    [[], ''],
    [[{ name: ' ' }], '[0].name', '[0].face_id'],
  ],
  'speakers.rename': [
    [[], ''],
    [[{ speaker_id: '1', name: null }], '[0].name', '[0].speaker_id'],
  ],
  'speakers.setRoles': [
    [[], ''],
    [[{ speaker_id: 1, role: '' }], '[0].role'],
  ],
  'speakers.merge': [[{}, 'from', 'into']],
  'names.infer': [
    ...ofField('target_speaker_ids', [undefined, 1]),
    [{ target_speaker_ids: [1, null] }, 'target_speaker_ids[1]'],
    ...ofField('infer_roles', [null, 'true'], { target_speaker_ids: [1] }),
    ...ofField('max_credits', [-1, '1', 0.000_000_1], { target_speaker_ids: [1] }),
  ],
  'accounts.create': [...ofField('account_id', ['.']), [{ name: 5 }, 'name']],
  'keys.create': [
    [{ admin: 'yes', label: 5 }, 'admin', 'label'],
    [{ permissions: ['ROOT'] }, 'permissions[0]'],
    [[], ''],
    ...ofField('expires_in_seconds', [59, 31_622_401, 60.5]),
  ],
  'me.createKey': [...ofField('expires_in_seconds', [59, 86_401]), [{ replace: 'yes' }, 'replace']],
  'retention.set': ofField('days', [undefined, 0, 36_501, 1.5]),
  'credits.grant': [
    ...ofField('amount', [0, '1', 0.0000001, 1e9, -1e9, 0.1 + 0.2], { reason: 'x' }),
    ...ofField('reason', ['  ', null], { amount: 1 }),
  ],
  'credits.setWindow': [
    [{ limit: -1, period_seconds: 60 }, 'limit'],
    ...ofField('period_seconds', [undefined, 0, 1.5, 31_622_401], { limit: 1 }),
  ],
  'tags.import': [
    [{ tags: [tag] }, 'source'],
    ...ofField('tags', ['x', []], { source }),
    [{ source, tags: [null] }, 'tags[0]'],
    [{ source, tags: [tag, { key: 7 }], dry_run: 'yes' }, 'tags[1].key', 'tags[1].value', 'dry_run'],
  ],
  'tags.set': ofField('tags', [[]]),
  'tagRegistry.register': [
    [{ category: 'x', value_type: 'integer', description: 7 }, 'category', 'value_type', 'description'],
  ],
  'sessions.create': ofField('metadata', ['text']),
  'sessions.offer': [[{ type: 'answer' }, 'type', 'sdp']],
  'sessions.addCandidate': [[{ sdp_m_line_index: -1 }, 'candidate', 'sdp_m_line_index']],
};

describe('a malformed body', () => {
  for (const [operation, bodies] of Object.entries(refused))
    it(`is refused at the place of each error: ${operation}`, () => {
      for (const [body, ...paths] of bodies) {
        const decoded = decodedBody(operation, body);
        const errors = E.isLeft(decoded) ? decoded.left.errors : [];
        expect(
          errors.map(({ path }) => path),
          JSON.stringify(body)?.slice(0, 200),
        ).to.include.members([...paths]);
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
