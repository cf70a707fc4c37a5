import { expect } from 'chai';
import { answersStatus, proposes, slow } from '../support/name-model/behaviours.js';
import { done } from '../support/e2e/media.js';
import {
  type Stage,
  chargesOf,
  commitPath,
  grant,
  openStage,
  recordingOf,
  stageOfAll,
  suggestPath,
} from '../support/e2e/naming.js';

const ada = { speaker_id: 1, name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' };
const targets = { target_speaker_ids: [1] };
const keyed = (key: string) => ({ 'Idempotency-Key': key });

describe('the Idempotency-Key of name inference', () => {
  const stage = stageOfAll();
  const counted = async ({ cast, model }: Stage) => [model.asked.length, (await chargesOf(cast.owner)).length];

  it('gives a repetition the stored answer, without a model call or a charge', async () => {
    const { cast, model } = stage();
    const media = await recordingOf(cast);
    model.play(proposes([ada]));
    const first = await done(cast.owner.post(suggestPath(media), targets, keyed('once')));
    const before = await counted(stage());
    const again = await done(cast.owner.post(suggestPath(media), targets, keyed('once')));
    expect(await counted(stage())).to.deep.equal(before);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('X-Run-Id')).to.equal(first.headers.get('X-Run-Id'));
    expect(again.headers.get('Idempotency-Replayed')).to.equal('true');
    expect(first.headers.get('Idempotency-Replayed')).to.equal(null);
  });

  it('lets 20 repetitions at once wait for one model call and one charge', async () => {
    const { cast, model } = stage();
    const media = await recordingOf(cast);
    model.play(slow(300, proposes([ada])));
    const [asked = 0, charged = 0] = await counted(stage());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => done(cast.owner.post(commitPath(media), targets, keyed('crowd')))),
    );
    expect(await counted(stage())).to.deep.equal([asked + 1, charged + 1]);
    expect(new Set(answers.map(({ headers }) => headers.get('X-Run-Id'))).size).to.equal(1);
    const { body } = await cast.owner.get(media.audio);
    expect(body).to.have.nested.property('manual_name_inference_runs.length', 1);
  });

  it('is refused with another body, mode or audio: 422 idempotency_key_reused', async () => {
    const { cast, model } = stage();
    const [media, other] = [await recordingOf(cast), await recordingOf(cast)];
    model.play(proposes([ada]));
    await done(cast.owner.post(suggestPath(media), targets, keyed('taken')));
    const before = await counted(stage());
    const answers = await Promise.all([
      cast.owner.post(suggestPath(media), { target_speaker_ids: [2] }, keyed('taken')),
      cast.owner.post(suggestPath(media), { ...targets, infer_roles: true }, keyed('taken')),
      cast.owner.post(commitPath(media), targets, keyed('taken')),
      cast.owner.post(suggestPath(other), targets, keyed('taken')),
    ]);
    for (const answer of answers) {
      expect(answer.status, answer.text).to.equal(422);
      expect(answer.body).to.have.nested.property('detail.code', 'idempotency_key_reused');
    }
    expect(await counted(stage())).to.deep.equal(before);
  });

  it('belongs to an account: the same key of another is another', async () => {
    const { cast, model } = stage();
    const media = await recordingOf(cast);
    model.play(proposes([ada]));
    const own = await done(cast.owner.post(suggestPath(media), targets, keyed('shared')));
    const other = await done(cast.mediaWriter.post(suggestPath(media), targets, keyed('shared')));
    expect(other.headers.get('X-Run-Id')).not.to.equal(own.headers.get('X-Run-Id'));
  });

  it('of a run that failed may be sent again: the model is asked anew, and one charge is made', async () => {
    const { cast, model } = stage();
    const media = await recordingOf(cast);
    const [, charged = 0] = await counted(stage());
    model.play(answersStatus(500));
    expect((await cast.owner.post(suggestPath(media), targets, keyed('retry'))).status).to.equal(502);
    model.play(proposes([ada]));
    await done(cast.owner.post(suggestPath(media), targets, keyed('retry')));
    expect((await counted(stage()))[1]).to.equal(charged + 1);
  });

  it('of 1 to 255 characters is taken, any other is 400', async () => {
    const { cast, model } = stage();
    const media = await recordingOf(cast);
    model.play(proposes([ada]));
    await done(cast.owner.post(suggestPath(media), targets, keyed('k'.repeat(255))));
    expect((await cast.owner.post(suggestPath(media), targets, keyed('k'.repeat(256)))).status).to.equal(400);
  });

  it('holds after a restart', async () => {
    const own = await openStage();
    await grant(own.cast, 'owner', 5);
    const media = await recordingOf(own.cast);
    own.model.play(proposes([ada]));
    const first = await done(own.cast.owner.post(suggestPath(media), targets, keyed('lasting')));
    await own.cast.world.restart();
    const again = await done(own.cast.owner.post(suggestPath(media), targets, keyed('lasting')));
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('Idempotency-Replayed')).to.equal('true');
    expect(own.model.asked.length).to.equal(1);
    await own.cast.world.end();
    await own.model.close();
  });
});
