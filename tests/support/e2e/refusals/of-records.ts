import * as t from 'io-ts';
import { type HttpAnswer, bodyOf } from '../../http-client.js';
import { type Media, createMedia, expectOk } from '../media.js';
import { createRecording } from '../naming.js';
import { matched, runSuggest } from '../runs.js';
import type { TestApi } from '../test-api.js';
import { type Row, twice, unknownIds } from './request.js';

const stretch = { start: 0, end: 1 };

/** Tags of videos and the registry. */
export const ofTags = async ({ owner, admin }: TestApi, { video }: Media): Promise<ReadonlyArray<Row>> => {
  const source = 'importer.x';
  const tag = (key: string, value: unknown = 'x') => ({ key, value });
  await expectOk(owner.post(`${video}/provider-tags`, { source, tags: [tag('vpm.there')] }));
  const refused: ReadonlyArray<readonly [answer: string, from: string, tags: ReadonlyArray<object>]> = [
    ['400 unregistered_key', source, [tag('nowhere.a')]],
    ['400 source_not_importer', 'x', [tag('vpm.a')]],
    ['400 category_not_importable', source, [tag('label.a')]],
    ['400 duplicate_key', source, twice(tag('vpm.a'))],
    ['400 bad_value', source, [tag('vpm.a', 7)]],
    ['400 tags_refused', source, [tag('vpm.a', 7), tag('nowhere.a')]],
  ];
  const malformed = ['not%20a%20key', '*', '.*', 'vpm.*.x', 'vpm*', 'a%2Fb', 'vpm.%C3%A4', 'vpm.a:b', 'x'.repeat(129)];
  const entry = { category: 'label', value_type: 'string' };
  return [
    ...refused.flatMap(([answer, from, tags]) =>
      [false, true].map((dry_run): Row => [`POST ${video}/provider-tags`, answer, { source: from, tags, dry_run }]),
    ),
    [`POST ${video}/tags`, '400 category_not_editable', { tags: [tag('vpm.a')] }],
    ...['vpm.a', 'not%20a%20key', 'constructor', '%25'].map((key): Row => [
      `DELETE ${video}/tags/${key}`,
      '404 unknown_tag',
    ]),
    [`DELETE ${video}/tags/vpm.there`, '400 category_not_editable'],
    ...malformed.map((key): Row => [`PUT /v2/tag-registry/${key}`, '400 malformed_key', entry, admin]),
  ];
};

/** Faces, speakers and analyses. */
export const ofRecords = ({ worker }: TestApi, { video, audio, videoId, audioId }: Media): ReadonlyArray<Row> => {
  const v1 = `/v1/audios/${audioId}`;
  const names = `/v1/videos/${videoId}/faces/names`;
  const utterance = { speaker_id: 99, ...stretch, text: 'x' };
  const heard = (answer: string, parts: object): Row => [
    `PUT ${audio}/analysis`,
    answer,
    { status: 'completed', speakers: [], segments: [], ...parts },
    worker,
  ];
  const faces = { status: 'completed', faces: twice({ id: 1, tracks: [] }) };
  const traits = { personality_traits: {} };
  return [
    [`PUT ${names}`, '404 InvalidFace', [{ face_id: 99, name: 'Ada' }]],
    [`PUT ${names}`, '400 duplicate_face_id', twice({ face_id: 1, name: 'Ada' })],
    heard('400 undeclared_speaker', { segments: [{ speaker_id: 99, ...stretch }] }),
    heard('400 undeclared_speaker', { transcript: [utterance] }),
    heard('400 duplicate_speaker_id', { speakers: twice({ speaker_id: 1 }) }),
    [`PUT ${video}/analysis`, '400 duplicate_face_id', faces, worker],
    [`PUT ${v1}/transcript/replace`, '400 undeclared_speaker', { transcript: [utterance] }],
    [`PUT ${v1}/speakers/names`, '400 duplicate_speaker_id', twice({ speaker_id: 1, name: 'Ada' })],
    [`PUT ${v1}/speakers/roles`, '400 duplicate_speaker_id', twice({ speaker_id: 1, role: null })],
    [`POST ${audio}/speakers/merge`, '404 InvalidSpeaker', { from: 99, into: 1 }],
    [`POST ${audio}/speakers/merge`, '404 InvalidSpeaker', { from: 1, into: 99 }],
    [`POST ${audio}/speakers/merge`, '400 merge_into_itself', { from: 1, into: 1 }],
    ...['99', '-1', '1.0', 'x'].flatMap((id): ReadonlyArray<Row> => [
      [`DELETE ${audio}/speakers/${id}`, '404 InvalidSpeaker'],
      [`PUT ${video}/faces/${id}/personality-traits`, '404 InvalidFace', traits, worker],
    ]),
  ];
};

/** What cannot be undone. */
export const ofReverts = async (api: TestApi, media: Media): Promise<ReadonlyArray<Row>> => {
  const { owner, worker } = api;
  const positionOf = async (write: Promise<HttpAnswer>): Promise<string> =>
    (await expectOk(write)).headers.get('X-Event-Position') ?? '';
  const untouched = await createMedia(api);
  const run_id = await runSuggest(api, untouched, matched(1, 1));
  const merged = await createMedia(api);
  const merge = await positionOf(owner.post(`${merged.audio}/speakers/merge`, { from: 1, into: 3 }));
  const faces = [1, 2, 3].map((id) => ({ id, tracks: [] }));
  const seen = await positionOf(worker.put(`${media.video}/analysis`, { status: 'completed', faces }));
  const speakers = [1, 2, 3].map((speaker_id) => ({ speaker_id }));
  const segments = [{ speaker_id: 1, ...stretch }];
  const heard = await positionOf(worker.put(`${media.audio}/analysis`, { status: 'completed', speakers, segments }));
  const titled = await positionOf(owner.patch(media.video, { title: 'One' }));
  await expectOk(owner.post(`${media.video}/history/${titled}/revert`));
  const retitled = await positionOf(owner.patch(media.audio, { title: 'One' }));
  await expectOk(owner.post(`${media.audio}/history/${retitled}/revert`, { dry_run: false }));
  return [false, true].flatMap((dry_run): ReadonlyArray<Row> => [
    [`POST ${media.video}/history/${seen}/revert`, '409 not_revertible', { dry_run }],
    [`POST ${media.audio}/history/${heard}/revert`, '409 not_revertible', { dry_run }],
    [`POST ${merged.audio}/history/${merge}/revert`, '409 not_revertible', { dry_run }],
    [`POST ${media.video}/history/${titled}/revert`, '409 nothing_to_revert', { dry_run }],
    [`POST ${media.audio}/history/${retitled}/revert`, '409 nothing_to_revert', { dry_run }],
    [`POST ${untouched.runs}/${run_id}/revert`, '409 nothing_to_revert', { dry_run }],
  ]);
};

/** Inferences of names. */
export const ofNames = async (api: TestApi): Promise<ReadonlyArray<Row>> => {
  const meetingKind = { kind: 'meeting' };
  const unfinished = { audioStatus: 'processing', transcript: null } as const;
  const usual = await createRecording(api);
  const meeting = await createRecording(api, { audioFields: meetingKind, ...unfinished });
  const ofMeeting = await createRecording(api, { videoFields: meetingKind });
  const unready = await createRecording(api, unfinished);
  const supplied = await createRecording(api, { analysisFields: { provider_supplied: true } });
  const pointed = await createRecording(api, { analysisFields: { speech_segments: 'segments/1' } });
  const wordless = await createRecording(api, { transcript: null });
  const rows: ReadonlyArray<readonly [of: Media, answer: string, target_speaker_ids: ReadonlyArray<number>]> = [
    [usual, '400 empty_target_speaker_ids', []],
    ...unknownIds.map((id) => [usual, '400 speaker_not_in_audio', [1, id]] as const),
    [usual, '400 synthetic_speaker', [1, 4]],
    [meeting, '400 empty_target_speaker_ids', []],
    [meeting, '400 speaker_not_in_audio', [99]],
    [meeting, '400 synthetic_speaker', [4]],
    [meeting, '400 audio_not_eligible', [1]],
    [ofMeeting, '400 audio_not_eligible', [1]],
    [supplied, '400 audio_not_eligible', [1]],
    [pointed, '400 audio_not_eligible', [1]],
    [unready, '409 audio_not_completed', [1]],
    [wordless, '400 transcript_not_ready', [1]],
  ];
  return rows.flatMap(([{ audio }, answer, target_speaker_ids]) =>
    ['', '/suggestions', '/estimate'].map((mode): Row => [
      `POST ${audio}/speaker-name-inference${mode}`,
      answer,
      { target_speaker_ids },
    ]),
  );
};

const Session = t.type({ session_id: t.string });

/** Credits, and realtime sessions. */
export const ofAccounts = async ({ admin, owner }: TestApi): Promise<ReadonlyArray<Row>> => {
  const much = { amount: 999_999_999, reason: 'x' };
  await expectOk(admin.post('/v1/accounts/stranger/credits', much));
  await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'x' }));
  const { session_id } = bodyOf(Session, await expectOk(owner.post('/v2/realtime/session', {})));
  const session = `/v2/realtime/session/${session_id}`;
  return [
    ['POST /v1/accounts/stranger/credits', '409 balance_out_of_range', much, admin],
    [`POST ${session}/offer`, '400 invalid_sdp', { type: 'offer', sdp: 'x' }],
    [`POST ${session}/ice`, '400 invalid_ice_candidate', { candidate: 'x' }],
    [`DELETE ${session}`, '409 session_running'],
  ];
};
