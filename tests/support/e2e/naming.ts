import { expect } from 'chai';
import * as t from 'io-ts';
import type { Config } from '../../../adapters/config/config.js';
import { type HttpAnswer, type HttpClient, bodyOf } from '../http-client.js';
import type { Behaviour } from '../name-model/behaviours.js';
import { type ScriptedModel, startScriptedModel } from '../name-model/scripted-model.js';
import { type TestApi, openTestApi } from './test-api.js';
import { getEverything } from './history.js';
import { type Media, expectOk, createMedia, type MediaParts } from './media.js';
import { stateOf } from './untouched.js';

/** A running service that uses a scripted model for name inference, and that model. */
export interface NamingApi {
  readonly api: TestApi;
  readonly model: ScriptedModel;
}

type Line = readonly [speaker_id: number, text: string];

/** A transcript of `[speaker, text]` lines, five seconds each. */
export const transcriptOf = (...lines: ReadonlyArray<Line>): ReadonlyArray<object> =>
  lines.map(([speaker_id, text], index) => ({ speaker_id, start: 5 * index, end: 5 * index + 5, text }));

export const usualTalk = transcriptOf(
  [1, 'Hello, my name is Ada Lovelace and I work in your support team.'],
  [2, 'Hi Ada, this is Grace Hopper. I bought a laptop from you last week.'],
  [3, 'And it does not even start.'],
  [4, 'This call may be recorded.'],
);
const usualSpeakers = [{ speaker_id: 1 }, { speaker_id: 2 }, { speaker_id: 3 }, { speaker_id: 4, synthetic: true }];

/** Creates the owner's audio of a talk between speakers 1, 2 and 3 and the synthetic speaker 4, in a video with two faces. */
export const createRecording = (api: TestApi, parts: MediaParts = {}): Promise<Media> =>
  createMedia(api, { faces: [{ id: 1 }, { id: 2 }], speakers: usualSpeakers, transcript: usualTalk, ...parts });

/** An audio without a video, with this transcript. */
export const createCall = async (
  client: Pick<HttpClient, 'post' | 'put'>,
  audio_id: string,
  ...lines: ReadonlyArray<Line>
): Promise<void> => {
  await expectOk(client.post('/v2/audios', { audio_id }));
  const speakers = [...new Set(lines.map(([speaker_id]) => speaker_id))].map((speaker_id) => ({ speaker_id }));
  const analysis = { status: 'completed', speakers, segments: [], transcript: transcriptOf(...lines) };
  await expectOk(client.put(`/v2/audios/${audio_id}/analysis`, analysis));
};

export const commitPath = ({ audio }: Media): string => `${audio}/speaker-name-inference`;
export const suggestPath = (media: Media): string => `${commitPath(media)}/suggestions`;
export const estimatePath = (media: Media): string => `${commitPath(media)}/estimate`;

export const grant = ({ admin }: Pick<TestApi, 'admin'>, account_id: string, amount: number): Promise<HttpAnswer> =>
  expectOk(admin.post(`/v1/accounts/${account_id}/credits`, { amount, reason: 'for a test' }));

/** Starts one service and one scripted model before the tests of a `describe`, and stops them after. */
export const useNamingApi = (config: Partial<Config> = {}): (() => NamingApi) => {
  let naming: NamingApi | null = null;
  before(async () => {
    const model = await startScriptedModel();
    const api = await openTestApi({
      name_model_url: model.url,
      name_model_api_key: 'key-of-the-model',
      name_model_name: 'scripted-model',
      name_model_timeout_seconds: 1,
      ...config,
    });
    for (const account of ['owner', 'media-writer']) await grant(api, account, 1_000);
    naming = { api, model };
  });
  after(async () => {
    await naming?.api.world.end();
    await naming?.model.close();
  });
  return () => {
    if (naming === null) throw new Error('the service runs only while tests run: call this inside a test');
    return naming;
  };
};

const Row = t.intersection([t.type({ speaker_id: t.number, video_id: t.union([t.string, t.null]) }), t.UnknownRecord]);
export type Row = t.TypeOf<typeof Row>;

export const rowsOf = (answer: HttpAnswer): ReadonlyArray<Row> => bodyOf(t.array(Row), answer);

/** Scripts the model's next answer, then requests suggestions as the owner. */
export const suggestions = (
  { api, model }: NamingApi,
  media: Media,
  behaviour: Behaviour,
  body: object = { target_speaker_ids: [1, 2, 3] },
  headers: Record<string, string> = {},
): Promise<HttpAnswer> => {
  model.play(behaviour);
  return api.owner.post(suggestPath(media), body, headers);
};

const Entry = t.intersection([
  t.type({ kind: t.string, amount: t.number, balance_after: t.number, request_id: t.string }),
  t.partial({ run_id: t.string, session_id: t.string, audio_id: t.string }),
]);
export type Entry = t.TypeOf<typeof Entry>;
const Ledger = t.type({ entries: t.array(Entry) });

/** The newest thousand, newest first. */
export const ledgerOf = async (client: HttpClient, account_id = 'owner'): Promise<ReadonlyArray<Entry>> =>
  bodyOf(Ledger, await client.get(`/v1/accounts/${account_id}/ledger?limit=1000`)).entries;

export const chargesOf = async (client: HttpClient, account_id = 'owner'): Promise<ReadonlyArray<Entry>> =>
  (await ledgerOf(client, account_id)).filter(({ kind }) => kind === 'charge');

/** Runs `ask` and checks that it called no model, charged no account and changed nothing about the media. */
export const expectNoEffect = async <Result>(
  { api, model }: NamingApi,
  media: Media,
  ask: () => Promise<Result>,
): Promise<Result> => {
  const state = stateOf(api, async () => [
    await getEverything(api, media),
    await ledgerOf(api.admin, 'owner'),
    await ledgerOf(api.admin, 'media-writer'),
    await ledgerOf(api.admin, 'stranger'),
  ]);
  const before = [await state(), model.requests.length];
  const result = await ask();
  expect([await state(), model.requests.length]).to.deep.equal(before);
  return result;
};
