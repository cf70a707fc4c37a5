import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { OpenAccountBody, IssueKeyBody } from '../../../adapters/http/codecs/access.js';
import { BookCreditsBody } from '../../../adapters/http/codecs/credits.js';
import {
  ProviderTagsBody,
  UserTagsBody,
  AudioAnalysisBody,
  AudioDetailsBody,
  FaceNamesBody,
  NameInferenceBody,
  PersonalityTraitsBody,
  RegisterAudioBody,
  RegisterVideoBody,
  SpeakerNamesBody,
  SpeakerRolesBody,
  TranscriptBody,
  VideoAnalysisBody,
  VideoDetailsBody,
} from '../../../adapters/http/codecs/media.js';
import { DecisionsBody, MatchFacesBody, MatchRunBody, WriteBackBody } from '../../../adapters/http/codecs/matching.js';
import { CreateSessionBody } from '../../../adapters/http/codecs/realtime.js';
import { decodeBody } from '../../../adapters/http/decode.js';
import { schemaWriter } from '../../../adapters/http/description/schema.js';

/** A body with a list, text or JSON of a given size, the place of its error beyond the limit, and what names the limit. */
type Limit = readonly [codec: t.Mixed, most: number, names: string, path: string, body: (size: number) => unknown];

const many = (size: number, item: unknown): ReadonlyArray<unknown> => Array<unknown>(size).fill(item);
const text = (size: number): string => 'é'.repeat(size);
/** JSON with this many characters. */
const json = (size: number) => ({ a: 'x'.repeat(size - '{"a":""}'.length) });
const span = { start: 0, end: 1 };
const face = { id: 1, tracks: [] };
const faces = (...all: ReadonlyArray<object>) => ({ status: 'completed', faces: all });
const speech = (more: object) => ({ status: 'completed', speakers: [], segments: [], ...more });
const utterance = (size: number) => ({ ...span, speaker_id: 1, text: text(size) });

const limits: ReadonlyArray<Limit> = [
  [MatchFacesBody, 1_000, '1,000 mappings', 'mappings', (n) => ({ mappings: many(n, { face_id: 1, speaker_id: 1 }) })],
  [MatchRunBody, 1_000, '1,000 targets', 'target_speaker_ids', (n) => ({ target_speaker_ids: many(n, 1) })],
  [NameInferenceBody, 1_000, '1,000 targets', 'target_speaker_ids', (n) => ({ target_speaker_ids: many(n, 1) })],
  [
    WriteBackBody,
    1_000,
    '1,000 matches',
    'matches',
    (n) => ({ matches: many(n, { face_id: 1, speaker_id: 1, accuracy: 1 }) }),
  ],
  [
    WriteBackBody,
    1_000,
    '1,000 speakers',
    'unmatched_speakers',
    (n) => ({ unmatched_speakers: many(n, { speaker_id: 1, reason: 'x' }) }),
  ],
  [
    WriteBackBody,
    1_000,
    '1,000 candidates',
    'unmatched_speakers[0].candidates',
    (n) => ({ unmatched_speakers: [{ speaker_id: 1, reason: 'x', candidates: many(n, { face_id: 1, accuracy: 1 }) }] }),
  ],
  [
    DecisionsBody,
    1_000,
    '1,000 decisions',
    'decisions',
    (n) => ({ decisions: many(n, { speaker_id: 1, face_id: 1, verdict: 'rejected' }) }),
  ],
  [UserTagsBody, 1_000, '1,000 tags', 'tags', (n) => ({ tags: many(n, { key: 'label.a', value: 1 }) })],
  [
    ProviderTagsBody,
    1_000,
    '1,000 tags',
    'tags',
    (n) => ({ source: 'importer.x', tags: many(n, { key: 'vpm.a', value: 1 }) }),
  ],
  [FaceNamesBody, 1_000, '1,000 faces', '', (n) => many(n, { face_id: 1, name: 'x' })],
  [SpeakerNamesBody, 1_000, '1,000 speakers', '', (n) => many(n, { speaker_id: 1, name: 'x' })],
  [SpeakerRolesBody, 1_000, '1,000 speakers', '', (n) => many(n, { speaker_id: 1, role: 'agent' })],
  [
    RegisterAudioBody,
    1_000,
    '1,000 deal persons',
    'deal_persons',
    (n) => ({ deal_persons: many(n, { person_id: 'p', name: 'x' }) }),
  ],
  [VideoAnalysisBody, 2_000, '2,000 faces', 'faces', (n) => faces(...Array.from({ length: n }, () => face))],
  [AudioAnalysisBody, 1_000, '1,000 speakers', 'speakers', (n) => speech({ speakers: many(n, { speaker_id: 1 }) })],
  [
    AudioAnalysisBody,
    200_000,
    '200,000 segments',
    'segments',
    (n) => speech({ segments: many(n, { ...span, speaker_id: 1 }) }),
  ],
  [
    AudioAnalysisBody,
    200_000,
    '200,000 utterances',
    'transcript',
    (n) => speech({ transcript: many(n, utterance(1)) }),
  ],
  [TranscriptBody, 200_000, '200,000 utterances', 'transcript', (n) => ({ transcript: many(n, utterance(1)) })],
  ...(
    [
      ['tracks', span],
      ['talking', { ...span, score: 1 }],
      ['captions', { ...span, text: 'x' }],
      ['boxes', { at: 0, left: 0, top: 0, width: 1, height: 1 }],
    ] as const
  ).map(([field, item]): Limit => [
    VideoAnalysisBody,
    200_000,
    `200,000 ${field} in total`,
    'faces',
    (n) => faces({ ...face, [field]: many(n - 1, item) }, { ...face, id: 2, [field]: [item] }),
  ]),

  [
    MatchFacesBody,
    200,
    '200 characters',
    'mappings[0].name',
    (n) => ({ mappings: [{ face_id: 1, speaker_id: 1, name: text(n) }] }),
  ],
  [FaceNamesBody, 200, '200 characters', '[0].name', (n) => [{ face_id: 1, name: text(n) }]],
  [SpeakerNamesBody, 200, '200 characters', '[0].name', (n) => [{ speaker_id: 1, name: text(n) }]],
  [
    RegisterAudioBody,
    200,
    '200 characters',
    'deal_persons[0].name',
    (n) => ({ deal_persons: [{ person_id: 'p', name: text(n) }] }),
  ],
  [VideoAnalysisBody, 200, '200 characters', 'faces[0].name', (n) => faces({ ...face, name: text(n) })],
  [
    AudioAnalysisBody,
    200,
    '200 characters',
    'speakers[0].name',
    (n) => speech({ speakers: [{ speaker_id: 1, name: text(n) }] }),
  ],
  [OpenAccountBody, 200, '200 characters', 'name', (n) => ({ name: text(n) })],
  [IssueKeyBody, 200, '200 characters', 'label', (n) => ({ label: text(n) })],
  [RegisterVideoBody, 500, '500 characters', 'title', (n) => ({ title: text(n) })],
  [RegisterAudioBody, 500, '500 characters', 'title', (n) => ({ title: text(n) })],
  [VideoDetailsBody, 500, '500 characters', 'title', (n) => ({ title: text(n) })],
  [AudioDetailsBody, 500, '500 characters', 'title', (n) => ({ title: text(n) })],
  [
    VideoAnalysisBody,
    500,
    '500 characters',
    'faces[0].captions[0].text',
    (n) => faces({ ...face, captions: [{ ...span, text: text(n) }] }),
  ],
  [BookCreditsBody, 1_000, '1,000 characters', 'reason', (n) => ({ amount: 1, reason: text(n) })],
  [WriteBackBody, 1_000, '1,000 characters', 'error', (n) => ({ status: 'failed', error: text(n) })],
  [
    WriteBackBody,
    1_000,
    '1,000 characters',
    'unmatched_speakers[0].reason',
    (n) => ({ unmatched_speakers: [{ speaker_id: 1, reason: text(n) }] }),
  ],
  [RegisterVideoBody, 2_048, '2,048 characters', 'media_url', (n) => ({ media_url: `http://a/${'x'.repeat(n - 9)}` })],
  [TranscriptBody, 100_000, '100,000 characters', 'transcript[0].text', (n) => ({ transcript: [utterance(n)] })],
  [
    AudioAnalysisBody,
    100_000,
    '100,000 characters',
    'transcript[0].text',
    (n) => speech({ transcript: [utterance(n)] }),
  ],

  [PersonalityTraitsBody, 16_384, '16 KiB', 'personality_traits', (n) => ({ personality_traits: json(n) })],
  [
    VideoAnalysisBody,
    16_384,
    '16 KiB',
    'faces[0].personality_traits',
    (n) => faces({ ...face, personality_traits: json(n) }),
  ],
  [CreateSessionBody, 16_384, '16 KiB', 'metadata', (n) => ({ metadata: json(n) })],
  [UserTagsBody, 2_048, '2 KiB', 'tags[0].value', (n) => ({ tags: [{ key: 'label.a', value: json(n) }] })],
];

describe('the limits of what arrives', () => {
  for (const [codec, most, names, path, body] of limits)
    it(`of ${codec.name}: ${names}${path === '' ? '' : ` in ${path}`}`, () => {
      expect(E.isRight(decodeBody(codec, body(most))), 'at the limit').to.equal(true);
      const beyond = decodeBody(codec, body(most + 1));
      const errors = E.isLeft(beyond) ? beyond.left.errors : [];
      expect(errors.map((error) => error.path)).to.deep.equal([path]);
      expect(errors[0]?.message).to.include(names);
    });

  it('of JSON include its depth: a value of any depth is refused, not a failure', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    for (const levels of [33, 100_000]) {
      const answer = decodeBody(UserTagsBody, { tags: [{ key: 'label.a', value: nested(levels) }] });
      expect(E.isLeft(answer) && answer.left.errors[0]?.path).to.equal('tags[0].value');
    }
  });

  it('are in the OpenAPI document, but for those that JSON Schema cannot say', () => {
    const { of, named } = schemaWriter();
    const described = JSON.stringify([limits.map(([codec]) => of(codec)), named()]);
    for (const [, most, names] of limits)
      if (!names.endsWith('KiB') && !names.endsWith('total'))
        expect(described).to.include(`"max${names.endsWith('characters') ? 'Length' : 'Items'}":${most}`);
  });
});
