import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { OperationId } from '../../../adapters/runtime/operations.js';
import { bodyOf, decodedBody } from '../../support/contract/bodies.js';
import { schemaWriter } from '../../../adapters/http/description/schema.js';

const many = (size: number, item: unknown): ReadonlyArray<unknown> => Array<unknown>(size).fill(item);
const text = (size: number): string => 'é'.repeat(size);
/** JSON with this many characters. */
const json = (size: number) => ({ a: 'x'.repeat(size - '{"a":""}'.length) });
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The limit by its words, the place of the value, an item of a list or the value itself by its size, and what else the
 * body has.
 */
type Limit = readonly [
  operation: OperationId,
  words: string,
  path: string,
  value: ((size: number) => unknown) | Readonly<Record<string, unknown>> | number,
  rest?: object,
];

const span = { start: 0, end: 1 };
const analysed = { status: 'completed', faces: [{ id: 1, tracks: [] }] };
const heard = { status: 'completed', speakers: [], segments: [] };
const utterance = { ...span, speaker_id: 1, text: 'é' };
const unmatched = { unmatched_speakers: [{ speaker_id: 1, reason: 'x' }] };
const url = (size: number) => `http://a/${'x'.repeat(size - 9)}`;

const limits: ReadonlyArray<Limit> = [
  ['matches.commit', '1,000 mappings', 'mappings', { face_id: 1, speaker_id: 1 }],
  ['matches.run', '1,000 targets', 'target_speaker_ids', 1],
  ['names.infer', '1,000 targets', 'target_speaker_ids', 1],
  ['matches.writeBack', '1,000 matches', 'matches', { face_id: 1, speaker_id: 1, accuracy: 1 }],
  ['matches.writeBack', '1,000 speakers', 'unmatched_speakers', { speaker_id: 1, reason: 'x' }],
  ['matches.writeBack', '1,000 candidates', 'unmatched_speakers[0].candidates', { face_id: 1, accuracy: 1 }, unmatched],
  ['decisions.create', '1,000 decisions', 'decisions', { speaker_id: 1, face_id: 1, verdict: 'rejected' }],
  ['tags.set', '1,000 tags', 'tags', { key: 'label.a', value: 1 }],
  ['tags.import', '1,000 tags', 'tags', { key: 'vpm.a', value: 1 }, { source: 'importer.x' }],
  ['faces.rename', '1,000 faces', '', { face_id: 1, name: 'x' }],
  ['speakers.rename', '1,000 speakers', '', { speaker_id: 1, name: 'x' }],
  ['speakers.setRoles', '1,000 speakers', '', { speaker_id: 1, role: 'agent' }],
  ['audios.create', '1,000 deal persons', 'deal_persons', { person_id: 'p', name: 'x' }],
  ['videos.recordAnalysis', '2,000 faces', 'faces', { id: 1, tracks: [] }, analysed],
  ['audios.recordAnalysis', '1,000 speakers', 'speakers', { speaker_id: 1 }, heard],
  ['audios.recordAnalysis', '200,000 segments', 'segments', { ...span, speaker_id: 1 }, heard],
  ['audios.recordAnalysis', '200,000 utterances', 'transcript', utterance, heard],
  ['audios.replaceTranscript', '200,000 utterances', 'transcript', utterance],

  ['matches.commit', '200 characters', 'mappings[0].name', text, { mappings: [{ face_id: 1, speaker_id: 1 }] }],
  ['faces.rename', '200 characters', '[0].name', text, [{ face_id: 1 }]],
  ['speakers.rename', '200 characters', '[0].name', text, [{ speaker_id: 1 }]],
  ['audios.create', '200 characters', 'deal_persons[0].name', text, { deal_persons: [{ person_id: 'p' }] }],
  ['videos.recordAnalysis', '200 characters', 'faces[0].name', text, analysed],
  ['audios.recordAnalysis', '200 characters', 'speakers[0].name', text, { ...heard, speakers: [{ speaker_id: 1 }] }],
  ['accounts.create', '200 characters', 'name', text],
  ['keys.create', '200 characters', 'label', text],
  ['videos.create', '500 characters', 'title', text],
  ['audios.create', '500 characters', 'title', text],
  ['videos.update', '500 characters', 'title', text],
  ['audios.update', '500 characters', 'title', text],
  [
    'videos.recordAnalysis',
    '500 characters',
    'faces[0].captions[0].text',
    text,
    { ...analysed, faces: [{ id: 1, tracks: [], captions: [span] }] },
  ],
  ['credits.grant', '1,000 characters', 'reason', text, { amount: 1 }],
  ['matches.writeBack', '1,000 characters', 'error', text, { status: 'failed' }],
  ['matches.writeBack', '1,000 characters', 'unmatched_speakers[0].reason', text, unmatched],
  ['videos.create', '2,048 characters', 'media_url', url],
  ['audios.replaceTranscript', '100,000 characters', 'transcript[0].text', text, { transcript: [utterance] }],
  ['audios.recordAnalysis', '100,000 characters', 'transcript[0].text', text, { ...heard, transcript: [utterance] }],

  ['faces.recordTraits', '16 KiB', 'personality_traits', json],
  ['videos.recordAnalysis', '16 KiB', 'faces[0].personality_traits', json, analysed],
  ['sessions.create', '16 KiB', 'metadata', json],
  ['tags.set', '2 KiB', 'tags[0].value', json, { tags: [{ key: 'label.a' }] }],
];

const most = (words: string): number =>
  Number.parseInt(words.replaceAll(',', ''), 10) * (words.endsWith('KiB') ? 1_024 : 1);

/** A body with a value at a place. */
const placed = (rest: object, path: string, value: unknown): unknown => {
  if (path === '') return value;
  const body: unknown = structuredClone(rest);
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const holder = keys.slice(0, -1).reduce((one, key) => (isObject(one) ? Reflect.get(one, key) : one), body);
  if (isObject(holder)) Reflect.set(holder, keys.at(-1) ?? '', value);
  return body;
};

const isRefusedBeyond = (
  operation: OperationId,
  words: string,
  path: string,
  body: (size: number) => unknown,
): void => {
  expect(E.isRight(decodedBody(operation, body(most(words)))), 'at the limit').to.equal(true);
  const beyond = decodedBody(operation, body(most(words) + 1));
  const errors = E.isLeft(beyond) ? beyond.left.errors : [];
  expect(errors.map((error) => error.path)).to.deep.equal([path]);
  expect(errors[0]?.message).to.include(words);
};

describe('the limits of what arrives', () => {
  for (const [operation, words, path, value, rest] of limits)
    it(`of ${operation}: ${words}${path === '' ? '' : ` in ${path}`}`, () => {
      const sized = (size: number): unknown =>
        typeof value === 'object' || typeof value === 'number' ? many(size, value) : value(size);
      isRefusedBeyond(operation, words, path, (size) => placed(rest ?? {}, path, sized(size)));
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
