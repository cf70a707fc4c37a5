import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { OperationId } from '../../../adapters/runtime/operations.js';
import { decodedBody } from '../../support/contract/bodies.js';

/** A body that is refused, and the places that its errors name. */
type Malformed = readonly [body: unknown, ...paths: ReadonlyArray<string>];

const span = { start: 0, end: 1 };
const tag = { key: 'vpm.a', value: 'x' };
const source = 'importer.vpm';
const box = { at: 1, left: 0, top: 0, width: 1, height: 1 };
const mapping = (face_id: unknown, speaker_id: unknown, name?: unknown) => ({ face_id, speaker_id, name });
const faces = (...list: ReadonlyArray<object>) => ({ status: 'completed', faces: list });
const face = (parts: object) => faces({ id: 1, tracks: [], ...parts });
const speech = (parts: object) => ({ status: 'completed', speakers: [{ speaker_id: 1 }], segments: [], ...parts });
/** The same error for each value of a field. */
const each = (path: string, values: ReadonlyArray<unknown>, body: (value: unknown) => unknown): Malformed[] =>
  values.map((value) => [body(value), path]);
const ofField = (field: string, values: ReadonlyArray<unknown>, rest: object = {}): Malformed[] =>
  each(field, values, (value) => ({ ...rest, [field]: value }));

const badIds = ['', ' ', '.', '..', 'a b', 'a/b', '../x', 'ü', 'x'.repeat(129), '\u0000', 7, [], {}, true];
const badUrls = ['', 'x', 'ftp://media.example/x', 'https://', `https://${'x'.repeat(2_048)}`, 5, {}];

const refused: ReadonlyArray<readonly [operation: OperationId, bodies: ReadonlyArray<Malformed>]> = [
  [
    'matches.commit',
    [
      [{}, 'mappings'],
      [{ mappings: [null] }, 'mappings[0]'],
      [{ mappings: [{}] }, 'mappings[0].face_id', 'mappings[0].speaker_id'],
      [{ mappings: [mapping(1, 1), mapping('2', 2)] }, 'mappings[1].face_id'],
      [{ mappings: [mapping(1, 1.5)] }, 'mappings[0].speaker_id'],
      [{ mappings: [mapping(1, 1, 7)] }, 'mappings[0].name'],
    ],
  ],
  [
    'matches.run',
    [
      ...ofField('target_face_ids', [[1], [], null, 'x', 0, false], { target_speaker_ids: [1] }),
      [{ target_speaker_ids: 1 }, 'target_speaker_ids'],
      [{ target_speaker_ids: [1, '2'] }, 'target_speaker_ids[1]'],
      [{ target_speaker_ids: [0.5] }, 'target_speaker_ids[0]'],
      [null, ''],
      ['text', ''],
    ],
  ],
  [
    'matches.writeBack',
    [
      [{ status: 'done', matches: [] }, 'status'],
      [{ status: 'failed', error: 5 }, 'error'],
      ...ofField('run_id', [7, 'no run!', '.', '..'], { matches: [] }),
      ...each('matches[0].accuracy', [undefined, 1.01, -0.01], (accuracy) => ({
        matches: [{ face_id: 1, speaker_id: 1, accuracy }],
      })),
    ],
  ],
  [
    'decisions.create',
    [
      [{ decisions: 'all' }, 'decisions'],
      [{ decisions: [{ speaker_id: 1, verdict: 'confirmed' }] }, 'decisions[0].face_id'],
      [{ decisions: [{ speaker_id: 1, face_id: 1, verdict: 'perhaps' }] }, 'decisions[0].verdict'],
    ],
  ],
  ['runs.revert', ofField('dry_run', ['yes', 1])],
  [
    'videos.create',
    [
      ...ofField('video_id', badIds),
      ...ofField('audio_id', badIds),
      ...ofField('media_url', badUrls),
      [{ title: 5, kind: 'film' }, 'title', 'kind'],
    ],
  ],
  [
    'audios.create',
    [
      ...ofField('audio_id', badIds),
      ...ofField('video_id', badIds),
      [{ deal_persons: [{}] }, 'deal_persons[0].person_id'],
    ],
  ],
  ['videos.update', ofField('media_url', badUrls)],
  ['audios.update', ofField('title', [5])],
  [
    'videos.recordAnalysis',
    [
      [{}, 'status', 'faces'],
      [{ status: 'done', faces: [] }, 'status'],
      [faces({ tracks: [] }), 'faces[0].id'],
      [faces({ id: 1 }), 'faces[0].tracks'],
      [face({ tracks: [{ start: 2, end: 1 }] }), 'faces[0].tracks[0]'],
      [face({ tracks: [{ start: -1, end: 1 }] }), 'faces[0].tracks[0]'],
      [face({ tracks: [span, { start: '0' }] }), 'faces[0].tracks[1].start'],
      [face({ talking: [{ ...span, score: 1.5 }] }), 'faces[0].talking[0].score'],
      [face({ captions: [span] }), 'faces[0].captions[0].text'],
      [face({ personality_traits: [] }), 'faces[0].personality_traits'],
      [face({ name: 1 }), 'faces[0].name'],
      ...[{ left: -0.1 }, { top: 1.1 }, { width: null }, { height: '1' }, { at: -1 }, { at: undefined }].map(
        (wrong): Malformed => [
          face({ boxes: [{ ...box, ...wrong }] }),
          `faces[0].boxes[0].${Object.keys(wrong).join('')}`,
        ],
      ),
    ],
  ],
  [
    'audios.recordAnalysis',
    [
      [{}, 'status', 'speakers', 'segments'],
      [speech({ segments: [span] }), 'segments[0].speaker_id'],
      [speech({ speakers: [{ speaker_id: 1, role: 'boss' }] }), 'speakers[0].role'],
      [speech({ provider_supplied: 'yes' }), 'provider_supplied'],
      [speech({ speech_segments: 1 }), 'speech_segments'],
      [speech({ transcript: [{ speaker_id: 1, ...span }] }), 'transcript[0].text'],
    ],
  ],
  ['faces.recordTraits', ofField('personality_traits', [null, [], 'x', 1])],
  ['audios.replaceTranscript', ofField('transcript', [undefined, 'x'])],
  [
    'faces.rename',
    [
      [[], ''],
      [[{ face_id: 1, name: ' ' }], '[0].name'],
      [[{ name: 'x' }], '[0].face_id'],
    ],
  ],
  [
    'speakers.rename',
    [
      ...each('', [[], {}, null], (body) => body),
      ...each('[0].name', ['', ' \t', null, 5, undefined], (name) => [{ speaker_id: 1, name }]),
      ...each('[0].speaker_id', ['1', 1.5], (speaker_id) => [{ speaker_id, name: 'x' }]),
    ],
  ],
  [
    'speakers.setRoles',
    [
      ...each('', [[], {}, null], (body) => body),
      ...each('[0].role', ['', 'boss', 5, undefined], (role) => [{ speaker_id: 1, role }]),
    ],
  ],
  ['speakers.merge', [[{}, 'from', 'into']]],
  [
    'names.infer',
    [
      ...ofField('target_speaker_ids', [undefined, null, 1, '1', {}, true]),
      ...each('target_speaker_ids[1]', [null, 'x', '1', 0.5, true, [1]], (entry) => ({
        target_speaker_ids: [1, entry],
      })),
      ...ofField('infer_roles', [null, 0, 1, 'true', '', [], {}], { target_speaker_ids: [1] }),
      ...ofField('max_credits', [-1, '1', true, 0.000_000_1, {}], { target_speaker_ids: [1] }),
      ...each('', [null, [], 'x', 1], (body) => body),
    ],
  ],
  ['accounts.create', [...ofField('account_id', badIds), [{ name: 5 }, 'name']]],
  [
    'keys.create',
    [
      [{ admin: 'yes' }, 'admin'],
      [{ permissions: ['ROOT'] }, 'permissions[0]'],
      [{ permissions: 'WORKER' }, 'permissions'],
      [{ label: 5 }, 'label'],
      [[], ''],
      ...ofField('expires_in_seconds', [59, 31_622_401, 60.5, '60']),
    ],
  ],
  ['me.createKey', [...ofField('expires_in_seconds', [59, 86_401]), [{ replace: 'yes' }, 'replace']]],
  ['retention.set', ofField('days', [undefined, 0, 36_501, 1.5, '1'])],
  [
    'credits.grant',
    [
      [{}, 'amount', 'reason'],
      ...ofField('amount', [0, '1', null, 0.0000001, 1e9, -1e9, 1e300, 0.1 + 0.2], { reason: 'x' }),
      ...ofField('reason', ['', '  ', null, 1], { amount: 1 }),
    ],
  ],
  [
    'credits.setWindow',
    [
      [{}, 'limit', 'period_seconds'],
      [{ limit: 1 }, 'period_seconds'],
      [{ limit: -1, period_seconds: 60 }, 'limit'],
      ...ofField('period_seconds', [0, 1.5, -1, 31_622_401, '60'], { limit: 1 }),
    ],
  ],
  [
    'tags.import',
    [
      [{ source }, 'tags'],
      [{ tags: [tag] }, 'source'],
      [{ source: 7, tags: [tag] }, 'source'],
      ...ofField('tags', ['x', []], { source }),
      [{ source, tags: [null] }, 'tags[0]'],
      [{ source, tags: [tag, { key: 'vpm.x' }] }, 'tags[1].value'],
      [{ source, tags: [{ key: 7, value: 1 }] }, 'tags[0].key'],
      [{ source, tags: [tag], dry_run: 'yes' }, 'dry_run'],
    ],
  ],
  ['tags.set', ofField('tags', [undefined, []])],
  [
    'tagRegistry.register',
    [
      [{}, 'category', 'value_type'],
      [{ category: 'x', value_type: 'integer' }, 'category', 'value_type'],
      [{ category: 'user', value_type: 'string', description: 7 }, 'description'],
    ],
  ],
  ['sessions.create', ofField('metadata', ['text', 1])],
  ['sessions.offer', [[{ type: 'answer' }, 'type', 'sdp']]],
  ['sessions.addCandidate', [[{ sdp_m_line_index: -1 }, 'candidate', 'sdp_m_line_index']]],
];

describe('a malformed body', () => {
  for (const [operation, bodies] of refused)
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
