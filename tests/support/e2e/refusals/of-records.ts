import { type Media, expectOk } from '../media.js';
import type { TestApi } from '../test-api.js';
import { type Row, twice } from './request.js';

const stretch = { start: 0, end: 1 };

/** Tags of videos and the registry. */
export const ofTags = async ({ owner, admin }: TestApi, media: Media): Promise<ReadonlyArray<Row>> => {
  const source = 'importer.x';
  await expectOk(owner.post(`${media.video}/provider-tags`, { source, tags: [{ key: 'vpm.there', value: 'x' }] }));
  const tag = (key: string, value: unknown = 'x') => ({ key, value });
  const refused: ReadonlyArray<readonly [status: number, code: string, from: string, tags: ReadonlyArray<object>]> = [
    [400, 'unregistered_key', source, [tag('nowhere.a')]],
    [400, 'source_not_importer', 'x', [tag('vpm.a')]],
    [400, 'category_not_importable', source, [tag('label.a')]],
    [400, 'duplicate_key', source, twice(tag('vpm.a'))],
    [400, 'bad_value', source, [tag('vpm.a', 7)]],
    [400, 'tags_refused', source, [tag('vpm.a', 7), tag('nowhere.a')]],
  ];
  return [
    ...refused.flatMap(([status, code, from, tags]) =>
      [false, true].map((dry_run): Row => [
        'POST',
        `${media.video}/provider-tags`,
        status,
        code,
        { source: from, tags, dry_run },
      ]),
    ),
    ['POST', `${media.video}/tags`, 400, 'category_not_editable', { tags: [tag('vpm.a')] }],
    ...['vpm.a', 'not%20a%20key', 'constructor', '%25'].map((key): Row => [
      'DELETE',
      `${media.video}/tags/${key}`,
      404,
      'unknown_tag',
    ]),
    ['DELETE', `${media.video}/tags/vpm.there`, 400, 'category_not_editable'],
    ...['not%20a%20key', '*', '.*', 'vpm.*.x', 'vpm*', 'a%2Fb', 'vpm.%C3%A4', 'vpm.a:b', 'x'.repeat(129)].map(
      (key): Row => [
        'PUT',
        `/v2/tag-registry/${key}`,
        400,
        'malformed_key',
        { category: 'label', value_type: 'string' },
        admin,
      ],
    ),
  ];
};

/** Faces, speakers and analyses. */
export const ofRecords = ({ worker }: TestApi, media: Media): ReadonlyArray<Row> => {
  const v1 = `/v1/audios/${media.audioId}`;
  const names = `/v1/videos/${media.videoId}/faces/names`;
  const heard = (parts: object): Row => [
    'PUT',
    `${media.audio}/analysis`,
    400,
    'undeclared_speaker',
    { status: 'completed', speakers: [], segments: [], ...parts },
    worker,
  ];
  const utterance = { speaker_id: 99, ...stretch, text: 'x' };
  return [
    ['PUT', names, 404, 'InvalidFace', [{ face_id: 99, name: 'Ada' }]],
    ['PUT', names, 400, 'duplicate_face_id', twice({ face_id: 1, name: 'Ada' })],
    heard({ segments: [{ speaker_id: 99, ...stretch }] }),
    heard({ transcript: [utterance] }),
    [
      'PUT',
      `${media.audio}/analysis`,
      400,
      'duplicate_speaker_id',
      { status: 'completed', speakers: twice({ speaker_id: 1 }), segments: [] },
      worker,
    ],
    [
      'PUT',
      `${media.video}/analysis`,
      400,
      'duplicate_face_id',
      { status: 'completed', faces: twice({ id: 1, tracks: [] }) },
      worker,
    ],
    ['PUT', `${v1}/transcript/replace`, 400, 'undeclared_speaker', { transcript: [utterance] }],
    ['PUT', `${v1}/speakers/names`, 400, 'duplicate_speaker_id', twice({ speaker_id: 1, name: 'Ada' })],
    ['PUT', `${v1}/speakers/roles`, 400, 'duplicate_speaker_id', twice({ speaker_id: 1, role: null })],
    ['POST', `${media.audio}/speakers/merge`, 404, 'InvalidSpeaker', { from: 99, into: 1 }],
    ['POST', `${media.audio}/speakers/merge`, 404, 'InvalidSpeaker', { from: 1, into: 99 }],
    ['POST', `${media.audio}/speakers/merge`, 400, 'merge_into_itself', { from: 1, into: 1 }],
    ...['99', '-1', '1.0', 'x'].flatMap((id): ReadonlyArray<Row> => [
      ['DELETE', `${media.audio}/speakers/${id}`, 404, 'InvalidSpeaker'],
      ['PUT', `${media.video}/faces/${id}/personality-traits`, 404, 'InvalidFace', { personality_traits: {} }, worker],
    ]),
  ];
};
