import { expect } from 'chai';
import { runCommand } from '../support/e2e/command.js';
import { createMedia, expectOk, getAudio, getFace } from '../support/e2e/media.js';
import {
  chargesOf,
  commitPath,
  createRecording,
  estimatePath,
  expectNoEffect,
  grant,
  rowsOf,
  suggestPath,
  suggestions,
  useNamingApi,
  usualTalk,
} from '../support/e2e/naming.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { answersStatus, proposes } from '../support/name-model/behaviours.js';

const ada = {
  speaker_id: 1,
  name: 'Ada Lovelace',
  quote: 'my name is Ada Lovelace',
  pattern: 'self_introduction',
  role: 'agent',
  role_quote: 'I work in your support team',
};
const grace = { speaker_id: 2, name: 'Grace Hopper', quote: 'this is Grace Hopper', pattern: 'self_introduction' };
const targets = { target_speaker_ids: [1, 2, 3] };

describe('speaker-name inference', () => {
  const naming = useNamingApi();

  it('suggests a name or gives a reason for each speaker, is charged, and does not change the audio', async () => {
    const { api } = naming();
    const media = await createRecording(api);
    const before = (await expectOk(api.owner.get(media.audio))).headers.get('ETag');
    const answer = await suggestions(naming(), media, proposes([ada, { ...grace, quote: 'I am Grace Hopper' }], 2_000));
    const { role: _role, role_quote: _quote, ...proposed } = ada;
    const video_id = media.videoId;
    expect(rowsOf(answer)).to.deep.equal([
      { ...proposed, video_id, quote_location: { index: 0, start: 0, end: 5 } },
      { speaker_id: 2, video_id, reason: 'quote_not_found' },
      { speaker_id: 3, video_id, reason: 'no_proposal' },
    ]);
    expect(answer.headers.get('X-Model')).to.equal('scripted-model');
    expect((await chargesOf(api.owner))[0]).to.include({
      amount: -1.2,
      run_id: answer.headers.get('X-Run-Id'),
      audio_id: media.audioId,
      request_id: answer.headers.get('X-Request-Id'),
    });
    expect((await expectOk(api.owner.get(media.audio))).headers.get('ETag')).to.equal(before);
  });

  it('that commits writes names, roles, deal persons and the audit list, and renames the matched face', async () => {
    const { api, model } = naming();
    const deal_persons = [
      { person_id: 'p-ada', name: 'Ada Lovelace' },
      { person_id: 'p-1', name: 'Grace Hopper' },
      { person_id: 'p-2', name: 'Grace Hopper' },
    ];
    const media = await createRecording(api, { audioFields: { deal_persons } });
    await expectOk(api.owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    model.play(proposes([ada, grace, { ...ada, name: 'Ada', quote: 'name is Ada' }]));
    const request = { target_speaker_ids: [1, 2], infer_roles: true };
    const answer = await expectOk(api.owner.post(commitPath(media), request));
    const { speakers, manual_name_inference_runs } = await getAudio(api, media);
    expect(speakers[0]).to.include({ name: 'Ada Lovelace', role: 'agent', deal_person_id: 'p-ada' });
    expect(speakers[1]).to.include({ name: 'Grace Hopper', role: null, deal_person_id: null });
    expect(manual_name_inference_runs).to.have.lengthOf(1);
    expect(manual_name_inference_runs[0]).to.deep.include({
      run_id: answer.headers.get('X-Run-Id'),
      target_speaker_ids: [1, 2],
      results: answer.body,
    });
    expect(await getFace(api, media, 1)).to.include({ name: 'Ada Lovelace' });
    expect((await chargesOf(api.owner))[0]).to.include({ run_id: answer.headers.get('X-Run-Id'), amount: -1.01 });
  });

  it('is refused with 402 before the model is called, as the estimate predicts, which costs nothing', async () => {
    const { api } = naming();
    const media = await createRecording(api);
    const unready = await createRecording(api, { audioStatus: 'processing' });
    const poor = await api.world.client('poor', { permissions: ['MEDIA_WRITE'] });
    const estimate = async () =>
      (await expectNoEffect(naming(), media, () => expectOk(poor.post(estimatePath(media), targets)))).body;
    for (const path of [suggestPath, commitPath]) {
      const refused = await expectNoEffect(naming(), media, () => poor.post(path(media), targets));
      expectText(refused, 402);
      expect(refused.headers.get('x-refusal-reason')).to.equal('zero_balance');
      expectCode(await poor.post(path(unready), targets), 409, 'audio_not_completed');
    }
    expect(await estimate()).to.include({ balance: 0, admitted: false, reason: 'zero_balance' });
    await grant(api, 'poor', 10);
    expect(await estimate()).to.include({ balance: 10, admitted: true, reason: null });
    const limited = await poor.post(commitPath(media), { ...targets, max_credits: 1 });
    expectText(limited, 402);
    expect(limited.headers.get('x-refusal-reason')).to.equal('max_credits');
  });

  it('costs nothing when the model fails; its Idempotency-Key can be used again, and then gets the stored answer', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    const keyed = () => api.owner.post(suggestPath(media), targets, { 'Idempotency-Key': 'retry' });
    const counted = async () => [model.requests.length, (await chargesOf(api.owner)).length];
    const [asked = 0, charged = 0] = await counted();
    model.play(answersStatus(500));
    expect((await keyed()).status).to.equal(502);
    expect(await counted()).to.deep.equal([asked + 1, charged]);
    model.play(proposes([ada]));
    const [first, again] = [await expectOk(keyed()), await expectOk(keyed())];
    expect(await counted()).to.deep.equal([asked + 2, charged + 1]);
    expect(again.body).to.deep.equal(first.body);
    const run_id = first.headers.get('X-Run-Id');
    expect(
      [first, again].map(({ headers }) => [headers.get('X-Run-Id'), headers.get('Idempotency-Replayed')]),
    ).to.deep.equal([
      [run_id, null],
      [run_id, 'true'],
    ]);
  });

  it('is charged to the account of the key, whoever owns the audio, and also while the parent video is processed', async () => {
    const { api, model } = naming();
    const media = await createRecording(api, { videoStatus: 'processing' });
    model.play(proposes([ada]));
    const run_id = (await expectOk(api.mediaWriter.post(suggestPath(media), targets))).headers.get('X-Run-Id');
    expect((await chargesOf(api.admin, 'media-writer'))[0]).to.include({ run_id });
    expect((await chargesOf(api.owner)).filter((charge) => charge.run_id === run_id)).to.deep.equal([]);
  });
});

describe('speaker-name inference without a configured model', () => {
  const api = useTestApi();

  it('uses the embedded model, at a price per word, which usage sums up, over HTTP and by the command', async () => {
    await grant(api(), 'owner', 3);
    const media = await createRecording(api());
    const body = { ...targets, infer_roles: true };
    const estimate = await expectOk(api().owner.post(estimatePath(media), body));
    const first = await expectOk(api().owner.post(suggestPath(media), body));
    expect(rowsOf(first)[0]).to.include({ name: 'Ada Lovelace' });
    expect((await expectOk(api().owner.post(suggestPath(media), body))).body).to.deep.equal(first.body);
    const cost = -((await chargesOf(api().owner))[0]?.amount ?? 0);
    expect(cost).to.be.greaterThan(1);
    expect(estimate.body).to.include({ credits_min: cost, credits_max: cost });
    const usage = '/v1/accounts/owner/usage?group_by=day,month,category,key&from=2020-01-01';
    const [day, month] = [new Date().toISOString().slice(0, 10), new Date().toISOString().slice(0, 7)];
    expect((await expectOk(api().owner.get(usage))).body).to.containSubset({
      from: '2020-01-01T00:00:00.000Z',
      to: null,
      groups: [{ day, month, category: 'name_inference', charges: 2 }],
      total: { charges: 2, amount: 2 * cost },
    });
    const env = { MEDIA_ANALYSIS_URL: api().world.url(), ADMIN_API_KEY: api().world.adminKey };
    const { out } = await runCommand(['credits', 'usage', 'owner', '--group-by', 'category'], env);
    expect(out).to.match(/^category +charges +amount\nname_inference +2 +([\d.]+)\nowner: \1 credits in 2 charges\n$/);
  });

  it('is not possible for the audio of a meeting, which every answer about the audio says', async () => {
    const media = await createMedia(api(), { transcript: usualTalk.slice(0, 3), apart: true });
    await expectOk(api().owner.post('/v2/videos', { video_id: 'a-meeting', kind: 'meeting', audio_id: media.audioId }));
    const { body } = await expectOk(api().owner.get(media.audio));
    expect(body).to.deep.include({ kind: 'upload', name_inference: { eligible: false, reasons: ['meeting'] } });
    expect((await expectOk(api().owner.get(`${media.audio}?at=2030-01-01`))).body).to.deep.equal(body);
  });
});
