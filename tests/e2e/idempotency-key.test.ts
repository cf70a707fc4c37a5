import { expect } from 'chai';
import { answersStatus, proposes } from '../support/name-model/behaviours.js';
import { expectOk } from '../support/e2e/media.js';
import { type NamingApi, chargesOf, createRecording, useNamingApi, suggestPath } from '../support/e2e/naming.js';

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
