import { expect } from 'chai';
import { openLogOf } from '../support/engine.js';
import { storedType } from '../../domain/event-catalogue.js';
import type { HttpAnswer } from '../support/http-client.js';
import { expectCode, expectMalformed, expectText } from '../support/e2e/refusal.js';
import { expectOk, mediaPaths, memoized } from '../support/e2e/media.js';
import { ofSubjects } from '../support/event-store/events.js';
import { succeeded } from '../support/event-store/outcomes.js';
import {
  type RecordingParts,
  commitPath,
  estimatePath,
  expectNoEffect,
  grant,
  createRecording,
  transcriptOf,
  useNamingApi,
  suggestPath,
  usualTalk,
} from '../support/e2e/naming.js';
import { analysedAudio, registeredAudio, speaker } from '../support/audio-events.js';

const paths = { suggestions: suggestPath, 'the committing POST': commitPath, 'the estimate': estimatePath };

for (const [what, path] of Object.entries(paths))
  describe(`speaker-name inference (${what}) refuses, without a write, a model call or a charge:`, () => {
    const naming = useNamingApi();
    const usual = { target_speaker_ids: [1, 2] };

    const recording = memoized((parts: RecordingParts) => createRecording(naming().api, parts));
    const post = async (body: unknown = usual, parts: RecordingParts = {}): Promise<HttpAnswer> => {
      const media = await recording(parts);
      return expectNoEffect(naming(), media, () => naming().api.owner.post(path(media), body));
    };

    it('a request without a key, or with a wrong one: 401 with a text', async () => {
      const media = await recording({});
      for (const headers of [{}, { 'X-API-Key': 'wrong' }])
        expectText(
          await expectNoEffect(naming(), media, () => naming().api.anonymous.post(path(media), usual, headers)),
          401,
        );
    });

    it('a caller who neither owns the audio nor holds MEDIA_WRITE: 401', async () => {
      const media = await recording({});
      const { stranger, worker } = naming().api;
      for (const caller of [stranger, worker])
        expectCode(await expectNoEffect(naming(), media, () => caller.post(path(media), usual)), 401, 'not_authorised');
    });

    it('an audio that does not exist: 404, whoever asks', async () => {
      const { owner, stranger } = naming().api;
      for (const caller of [owner, stranger])
        for (const body of [usual, {}])
          expectCode(await caller.post(path(mediaPaths('none', 'none')), body), 404, 'unknown_audio');
    });

    it('target_speaker_ids missing, null, no list, or with an entry that is no integer: 422', async () => {
      expectMalformed(await post({}), 'target_speaker_ids');
      for (const target_speaker_ids of [null, 1, '1', {}, true])
        expectMalformed(await post({ target_speaker_ids }), 'target_speaker_ids');
      for (const entry of [null, 'x', '1', 0.5, true, [1]])
        expectMalformed(await post({ target_speaker_ids: [1, entry] }), 'target_speaker_ids[1]');
    });

    it('infer_roles null or no boolean: 422', async () => {
      for (const infer_roles of [null, 0, 1, 'true', '', [], {}])
        expectMalformed(await post({ ...usual, infer_roles }), 'infer_roles');
    });

    it('max_credits that is no amount of credits: 422', async () => {
      for (const max_credits of [-1, '1', true, 0.000_000_1, {}])
        expectMalformed(await post({ ...usual, max_credits }), 'max_credits');
    });

    it('a body that is no object, or no JSON: 422', async () => {
      for (const body of [null, [], 'x', 1]) expectCode(await post(body), 422, 'malformed_body');
      const media = await recording({});
      expectCode(await naming().api.owner.raw('POST', path(media), '{'), 422, 'malformed_body');
      expectCode(await naming().api.owner.raw('POST', path(media), undefined), 422, 'malformed_body');
    });

    it('an empty list of targets: 400', async () =>
      expectCode(await post({ target_speaker_ids: [] }), 400, 'empty_target_speaker_ids'));

    it('a speaker who is not in the audio, whatever integer names it: 400', async () => {
      for (const unknown of [99, -1, -99, Number.MAX_SAFE_INTEGER, 1e300])
        expectCode(await post({ target_speaker_ids: [1, unknown] }), 400, 'speaker_not_in_audio');
    });

    it('a synthetic track: 400', async () =>
      expectCode(await post({ target_speaker_ids: [1, 4] }), 400, 'synthetic_speaker'));

    it('a meeting, or an audio whose video is one: 400', async () => {
      expectCode(await post(usual, { kind: 'meeting' }), 400, 'audio_not_eligible');
      expectCode(await post(usual, { videoKind: 'meeting' }), 400, 'audio_not_eligible');
    });

    it('a transcript or diarisation that a provider supplied, and a speech_segments pointer: 400', async () => {
      expectCode(await post(usual, { provider_supplied: true }), 400, 'audio_not_eligible');
      expectCode(await post(usual, { speech_segments: 'segments/1' }), 400, 'audio_not_eligible');
    });

    it('a replaced transcript: 400 for good, also after another analysis', async () => {
      const { owner, worker } = naming().api;
      const media = await createRecording(naming().api);
      await expectOk(
        owner.put(`/v1/audios/${media.audioId}/transcript/replace`, { transcript: transcriptOf([1, 'I am Ada.']) }),
      );
      expectCode(await owner.post(path(media), usual), 400, 'audio_not_eligible');
      const speakers = [1, 2, 3, 4].map((speaker_id) => ({ speaker_id }));
      const analysis = { status: 'completed', speakers, segments: [], transcript: usualTalk };
      await expectOk(worker.put(`${media.audio}/analysis`, analysis));
      expectCode(await owner.post(path(media), usual), 400, 'audio_not_eligible');
    });

    it('an audio whose video does not exist: 400', async () => {
      const log = await openLogOf(naming().api.world.dataDir);
      const audio_id = `orphan-${Object.keys(paths).indexOf(what)}`;
      const events = [registeredAudio({ video: 'gone' }), analysedAudio([speaker(1, null), speaker(2, null)])];
      const stored = events.map(({ type, data }, index) => ({
        id: crypto.randomUUID(),
        type: storedType(type),
        data: { ...data, ...(index === 0 ? { audio_id } : {}) },
        metadata: {
          actor: { key_id: 'k', account_id: 'owner' },
          correlation_id: 'r',
          causation_id: 'r',
          schema_version: 1,
          recorded_at: '2026-01-01T12:00:00.000Z',
        },
      }));
      const stream = `audio-${audio_id}`;
      await succeeded(log.store.append(stream, 'no_stream', ofSubjects(stream, stored)));
      await log.close();
      const answer = await naming().api.owner.post(path(mediaPaths('gone', audio_id)), usual);
      expectCode(answer, 400, 'parent_video_missing');
    });

    it('an audio whose processing is not completed: 409', async () => {
      for (const status of ['queue', 'processing', 'failed'])
        expectCode(await post(usual, { status }), 409, 'audio_not_completed');
    });

    it('a completed audio without a transcript: 400, and an uncompleted one: 409', async () => {
      expectCode(await post(usual, { transcript: null }), 400, 'transcript_not_ready');
      expectCode(await post(usual, { transcript: null, status: 'processing' }), 409, 'audio_not_completed');
    });

    it('no audio because its video is still being processed', async () => {
      const media = await createRecording(naming().api, { videoStatus: 'processing' });
      expect((await naming().api.owner.post(path(media), usual)).status).to.equal(200);
    });

    it('several faults at once, with the first of them', async () => {
      const { api } = naming();
      const worst = { kind: 'meeting', status: 'processing', transcript: null } as const;
      const media = await createRecording(api, worst);
      expectText(await api.anonymous.post(path(mediaPaths('none', 'none')), {}), 401);
      expectText(await api.anonymous.post(path(media), {}), 401);
      expectCode(await api.stranger.post(path(media), { target_speaker_ids: [] }), 401, 'not_authorised');
      expectCode(await api.stranger.post(path(media), {}), 401, 'not_authorised');
      expectCode(
        await api.owner.post(path(media), { target_speaker_ids: [], infer_roles: null }),
        422,
        'malformed_body',
      );
      expectCode(await api.owner.post(path(media), { target_speaker_ids: [] }), 400, 'empty_target_speaker_ids');
      expectCode(await api.owner.post(path(media), { target_speaker_ids: [99] }), 400, 'speaker_not_in_audio');
      expectCode(await api.owner.post(path(media), { target_speaker_ids: [4] }), 400, 'synthetic_speaker');
      expectCode(await api.owner.post(path(media), usual), 400, 'audio_not_eligible');
      const unready = await createRecording(api, { status: 'processing', transcript: null });
      expectCode(await api.owner.post(path(unready), usual), 409, 'audio_not_completed');
    });
  });

describe('an admission to speaker-name inference', () => {
  const naming = useNamingApi();
  const body = { target_speaker_ids: [1] };

  for (const [mode, path] of [
    ['suggestions', suggestPath],
    ['the committing POST', commitPath],
  ] as const)
    it(`is refused with 402 and a separate text for each cause, before the model is called: ${mode}`, async () => {
      const { api } = naming();
      const account = `poor-${mode.length}`;
      const poor = await api.world.client(account, { permissions: ['MEDIA_WRITE'] });
      const media = await createRecording(api);
      const window = `/v1/accounts/${account}/spending-window`;
      const refused = async (reason: string, max_credits?: number): Promise<string> => {
        const limited = { ...body, ...(max_credits === undefined ? {} : { max_credits }) };
        const answer = await expectNoEffect(naming(), media, () => poor.post(path(media), limited));
        expectText(answer, 402);
        expect(answer.headers.get('x-refusal-reason')).to.equal(reason);
        const estimate = await expectOk(poor.post(estimatePath(media), limited));
        expect(estimate.body).to.include({ admitted: false, reason });
        return answer.text;
      };
      const zero = await refused('zero_balance', 0);
      await grant(api, account, -0.5);
      const negative = await refused('negative_balance', 0);
      await grant(api, account, 10.5);
      await expectOk(api.admin.put(window, { limit: 2, period_seconds: 3_600 }));
      await expectOk(poor.post(path(media), body));
      const usedUp = await refused('window_used_up', 0);
      await grant(api, account, 100);
      expect(await refused('window_used_up'), 'buying credit does not open a window').to.equal(usedUp);
      await expectOk(api.admin.put(window, { limit: null }));
      const tooDear = await refused('max_credits', 1);
      expect(new Set([zero, negative, usedUp, tooDear]).size).to.equal(4);
      const unready = await createRecording(api, { status: 'processing' });
      expectCode(await poor.post(path(unready), body), 409, 'audio_not_completed');
      expectCode(await poor.post(path(media), { target_speaker_ids: [] }), 400, 'empty_target_speaker_ids');
    });

  it('is predicted by the estimate, which costs nothing and calls no model', async () => {
    const { api } = naming();
    const media = await createRecording(api);
    const poor = await api.world.client('foretold', { permissions: ['MEDIA_WRITE'] });
    const estimate = async () =>
      (await expectNoEffect(naming(), media, () => expectOk(poor.post(estimatePath(media), body)))).body;
    expect(await estimate()).to.include({ balance: 0, admitted: false });
    await grant(api, 'foretold', -1);
    expect(await estimate()).to.include({ balance: -1, admitted: false });
    await grant(api, 'foretold', 11);
    const admitted = await estimate();
    expect(admitted).to.include({ balance: 10, admitted: true, reason: null });
    expect(admitted).to.have.all.keys('credits_min', 'credits_max', 'balance', 'admitted', 'reason');
    await expectOk(api.admin.put('/v1/accounts/foretold/spending-window', { limit: 0, period_seconds: 60 }));
    expect(await estimate()).to.include({ admitted: false });
  });
});
