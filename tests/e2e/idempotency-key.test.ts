import { expect } from 'chai';
import { answersStatus, proposes, slow } from '../support/name-model/behaviours.js';
import { expectOk } from '../support/e2e/media.js';
import {
  type NamingApi,
  chargesOf,
  commitPath,
  createRecording,
  useNamingApi,
  suggestPath,
} from '../support/e2e/naming.js';

const ada = { speaker_id: 1, name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' };
const targets = { target_speaker_ids: [1] };
const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('the Idempotency-Key of name inference', () => {
  const naming = useNamingApi();
  const counted = async ({ api, model }: NamingApi) => [model.requests.length, (await chargesOf(api.owner)).length];

  it('gives a repetition the stored answer, without a model call or a charge', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    model.play(proposes([ada]));
    const first = await expectOk(api.owner.post(suggestPath(media), targets, keyed('once')));
    const before = await counted(naming());
    const again = await expectOk(api.owner.post(suggestPath(media), targets, keyed('once')));
    expect(await counted(naming())).to.deep.equal(before);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('X-Run-Id')).to.equal(first.headers.get('X-Run-Id'));
    expect(again.headers.get('Idempotency-Replayed')).to.equal('true');
    expect(first.headers.get('Idempotency-Replayed')).to.equal(null);
  });

  it('lets 20 repetitions at once wait for one model call and one charge', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    model.play(slow(300, proposes([ada])));
    const [calls = 0, charged = 0] = await counted(naming());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => expectOk(api.owner.post(commitPath(media), targets, keyed('crowd')))),
    );
    expect(await counted(naming())).to.deep.equal([calls + 1, charged + 1]);
    expect(new Set(answers.map(({ headers }) => headers.get('X-Run-Id'))).size).to.equal(1);
    const { body } = await api.owner.get(media.audio);
    expect(body).to.have.nested.property('manual_name_inference_runs.length', 1);
  });

  it('is refused with another body, mode or audio: 422 idempotency_key_reused', async () => {
    const { api, model } = naming();
    const [media, other] = [await createRecording(api), await createRecording(api)];
    model.play(proposes([ada]));
    await expectOk(api.owner.post(suggestPath(media), targets, keyed('taken')));
    const before = await counted(naming());
    const answers = await Promise.all([
      api.owner.post(suggestPath(media), { target_speaker_ids: [2] }, keyed('taken')),
      api.owner.post(suggestPath(media), { ...targets, infer_roles: true }, keyed('taken')),
      api.owner.post(commitPath(media), targets, keyed('taken')),
      api.owner.post(suggestPath(other), targets, keyed('taken')),
    ]);
    for (const answer of answers) {
      expect(answer.status, answer.text).to.equal(422);
      expect(answer.body).to.have.nested.property('detail.code', 'idempotency_key_reused');
    }
    expect(await counted(naming())).to.deep.equal(before);
  });

  it('of a failed run may be sent again: the model is called again, and one charge is made', async () => {
    const { api, model } = naming();
    const media = await createRecording(api);
    const [, charged = 0] = await counted(naming());
    model.play(answersStatus(500));
    expect((await api.owner.post(suggestPath(media), targets, keyed('retry'))).status).to.equal(502);
    model.play(proposes([ada]));
    await expectOk(api.owner.post(suggestPath(media), targets, keyed('retry')));
    expect((await counted(naming()))[1]).to.equal(charged + 1);
  });
});
