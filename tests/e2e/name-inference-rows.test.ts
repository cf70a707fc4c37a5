import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk } from '../support/e2e/media.js';
import {
  chargesOf,
  estimatePath,
  grant,
  commitPath,
  createRecording,
  rowsOf,
  useNamingApi,
  suggestPath,
  suggestions,
} from '../support/e2e/naming.js';
import { proposes } from '../support/name-model/behaviours.js';

const ada = {
  speaker_id: 1,
  name: 'Ada Lovelace',
  quote: 'my name is Ada Lovelace',
  pattern: 'self_introduction',
  role: 'agent',
  role_quote: 'I work in your support team',
};
const grace = { speaker_id: 2, name: 'Grace Hopper', quote: 'this is Grace Hopper', pattern: 'self_introduction' };
const firstLine = { index: 0, start: 0, end: 5 };
const adaRow = { speaker_id: 1, name: ada.name, quote: ada.quote, pattern: ada.pattern, quote_location: firstLine };
const targets = { target_speaker_ids: [1, 2, 3] };

describe('the rows of speaker-name inference', () => {
  const naming = useNamingApi();

  it('are an accepted proposal or a rejection for each target, without additional fields', async () => {
    const media = await createRecording(naming().api);
    const answer = await suggestions(naming(), media, proposes([ada, { ...grace, quote: 'I am Grace Hopper' }]));
    const { videoId: video_id } = media;
    expect(rowsOf(answer)).to.deep.equal([
      { ...adaRow, video_id },
      { speaker_id: 2, video_id, reason: 'quote_not_found' },
      { speaker_id: 3, video_id, reason: 'no_proposal' },
    ]);
    expect(answer.headers.get('X-Model')).to.equal('scripted-model');
    expect(answer.headers.get('X-Run-Id')).to.match(/\S/);
  });

  it('may all be rejections: the run succeeds and is charged', async () => {
    const media = await createRecording(naming().api);
    const before = (await chargesOf(naming().api.owner)).length;
    const answer = await suggestions(naming(), media, proposes([], 2_000));
    expect(rowsOf(answer).every(({ reason }) => reason === 'no_proposal')).to.equal(true);
    const [newest, ...rest] = await chargesOf(naming().api.owner);
    expect(rest.length).to.equal(before);
    expect(newest).to.include({
      amount: -1.2,
      run_id: answer.headers.get('X-Run-Id'),
      audio_id: media.audioId,
      request_id: answer.headers.get('X-Request-Id'),
    });
  });

  it('of suggestions do not change the audio, however many are accepted', async () => {
    const media = await createRecording(naming().api, {
      audioFields: { deal_persons: [{ person_id: 'p', name: 'Ada Lovelace' }] },
    });
    const { admin } = naming().api;
    const seen = async () => {
      const [record, history] = await Promise.all([admin.get(media.audio), admin.get(`${media.audio}/history`)]);
      return [record.headers.get('ETag'), record.body, history.body];
    };
    const before = await seen();
    await expectOk(suggestions(naming(), media, proposes([ada, grace]), { ...targets, infer_roles: true }));
    expect(await seen()).to.deep.equal(before);
  });

  it('are for the owner, holders of MEDIA_WRITE and admins, each at the expense of their own account', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    const billed = await api.world.client('rich-admin', { admin: true });
    await api.admin.post('/v1/accounts/rich-admin/credits', { amount: 5, reason: 'for a test' });
    const callers = { owner: api.owner, 'media-writer': api.mediaWriter, 'rich-admin': billed };
    model.play(proposes([ada]));
    for (const [account, caller] of Object.entries(callers)) {
      const answer = await expectOk(caller.post(suggestPath(media), targets));
      expect((await chargesOf(api.admin, account))[0]).to.include({ run_id: answer.headers.get('X-Run-Id') });
    }
  });
});

describe('a committing inference', () => {
  const naming = useNamingApi();

  it('writes names, roles, deal persons and the audit list, and renames the matched face', async () => {
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
    const { body } = await api.admin.get(media.audio);
    expect(body).to.have.nested.property('speakers[0].name', 'Ada Lovelace');
    expect(body).to.have.nested.property('speakers[0].role', 'agent');
    expect(body).to.have.nested.property('speakers[0].deal_person_id', 'p-ada');
    expect(body).to.have.nested.property('speakers[1].name', 'Grace Hopper');
    expect(body).to.have.nested.property('speakers[1].role', null);
    expect(body).to.have.nested.property('speakers[1].deal_person_id', null);
    expect(body).to.have.nested.property('manual_name_inference_runs.length', 1);
    expect(body).to.have.nested.property('manual_name_inference_runs[0].run_id', answer.headers.get('X-Run-Id'));
    expect(body).to.have.deep.nested.property('manual_name_inference_runs[0].target_speaker_ids', [1, 2]);
    expect(body).to.have.deep.nested.property('manual_name_inference_runs[0].results', answer.body);
    const position = answer.headers.get('X-Event-Position') ?? '';
    const video = await api.admin.get(media.video, { 'X-Min-Position': position });
    expect(video.body).to.have.nested.property('faces[0].name', 'Ada Lovelace');
    expect((await chargesOf(api.owner))[0]).to.include({ run_id: answer.headers.get('X-Run-Id'), amount: -1.01 });
  });
});

describe('speaker-name inference without a configured model', () => {
  const api = useTestApi();

  it('uses the embedded model, at a price per word', async () => {
    await grant(api(), 'owner', 3);
    const media = await createRecording(api());
    const body = { ...targets, infer_roles: true };
    const estimate = await expectOk(api().owner.post(estimatePath(media), body));
    const first = await expectOk(api().owner.post(suggestPath(media), body));
    const second = await expectOk(api().owner.post(suggestPath(media), body));
    expect(second.body).to.deep.equal(first.body);
    expect(rowsOf(first)[0]).to.include({ name: 'Ada Lovelace' });
    const cost = -((await chargesOf(api().owner))[0]?.amount ?? 0);
    expect(cost).to.be.greaterThan(1);
    expect(estimate.body).to.include({ credits_min: cost, credits_max: cost });
  });
});
