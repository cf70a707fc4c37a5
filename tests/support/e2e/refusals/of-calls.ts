import * as t from 'io-ts';
import { bodyOf } from '../../http-client.js';
import { type Media, expectOk } from '../media.js';
import { createRecording } from '../naming.js';
import type { TestApi } from '../test-api.js';
import { type Row, unknownIds } from './request.js';

/** Inferences of names. */
export const ofNames = async (api: TestApi): Promise<ReadonlyArray<Row>> => {
  const usual = await createRecording(api);
  const meeting = await createRecording(api, {
    audioFields: { kind: 'meeting' },
    audioStatus: 'processing',
    transcript: null,
  });
  const [ofMeeting, unready] = [
    await createRecording(api, { videoFields: { kind: 'meeting' } }),
    await createRecording(api, { audioStatus: 'processing', transcript: null }),
  ];
  const [supplied, pointed, wordless] = [
    await createRecording(api, { analysisFields: { provider_supplied: true } }),
    await createRecording(api, { analysisFields: { speech_segments: 'segments/1' } }),
    await createRecording(api, { transcript: null }),
  ];
  const rows: ReadonlyArray<readonly [of: Media, status: number, code: string, targets: ReadonlyArray<number>]> = [
    [usual, 400, 'empty_target_speaker_ids', []],
    ...unknownIds.map((id) => [usual, 400, 'speaker_not_in_audio', [1, id]] as const),
    [usual, 400, 'synthetic_speaker', [1, 4]],
    [meeting, 400, 'empty_target_speaker_ids', []],
    [meeting, 400, 'speaker_not_in_audio', [99]],
    [meeting, 400, 'synthetic_speaker', [4]],
    [meeting, 400, 'audio_not_eligible', [1]],
    [ofMeeting, 400, 'audio_not_eligible', [1]],
    [supplied, 400, 'audio_not_eligible', [1]],
    [pointed, 400, 'audio_not_eligible', [1]],
    [unready, 409, 'audio_not_completed', [1]],
    [wordless, 400, 'transcript_not_ready', [1]],
  ];
  return rows.flatMap(([{ audio }, status, code, target_speaker_ids]) =>
    ['', '/suggestions', '/estimate'].map((mode): Row => [
      'POST',
      `${audio}/speaker-name-inference${mode}`,
      status,
      code,
      { target_speaker_ids },
    ]),
  );
};

/** Credits. */
export const ofAccounts = async ({ admin }: TestApi): Promise<ReadonlyArray<Row>> => {
  const much = { amount: 999_999_999, reason: 'x' };
  await expectOk(admin.post('/v1/accounts/stranger/credits', much));
  return [['POST', '/v1/accounts/stranger/credits', 409, 'balance_out_of_range', much, admin]];
};

const Session = t.type({ session_id: t.string });
const newSession = async ({ owner, admin }: TestApi): Promise<string> => {
  await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'x' }));
  return `/v2/realtime/session/${bodyOf(Session, await expectOk(owner.post('/v2/realtime/session', {}))).session_id}`;
};

/** Realtime sessions. */
export const ofSessions = async (api: TestApi): Promise<ReadonlyArray<Row>> => {
  const session = await newSession(api);
  return [
    ['POST', `${session}/offer`, 400, 'invalid_sdp', { type: 'offer', sdp: 'x' }],
    ['POST', `${session}/ice`, 400, 'invalid_ice_candidate', { candidate: 'x' }],
    ['DELETE', session, 409, 'session_running'],
  ];
};
