import { expect } from 'chai';
import { createMedia, expectOk, getFace } from '../support/e2e/media.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';
import { triggerCommit } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('matches that people make', () => {
  const api = useTestApi();

  it('with PUT and a name: face and speaker get it; a repetition changes nothing', async () => {
    const media = await createMedia(api());
    const mappings = [{ face_id: 2, speaker_id: 1, name: 'Katherine Johnson' }];
    const put = () => expectOk(api().owner.put(media.match, { mappings }));
    expect((await put()).headers.get('X-Event-Position')).to.match(/\S/);
    expect(await getFace(api(), media, 2)).to.include({ name: 'Katherine Johnson', speaker_id: 1 });
    expect((await getLastEvent(api().admin, media.audio)).data['speakers']).to.deep.equal([
      {
        speaker_id: 1,
        name: 'Katherine Johnson',
        previous_name: 'Ada Lovelace',
        named_by: { before: 'analysis', after: 'person' },
      },
    ]);
    const again = await expectNothingWritten(api(), media, put);
    expect(again.headers.get('X-Event-Position')).to.equal(null);
    expect(again.body).to.deep.include({ status: 'completed' });
  });

  it('with decisions, which are listed with who decided and how, and passed to workers', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2 }] }));
    const decisions = [
      { speaker_id: 1, face_id: 1, verdict: 'confirmed' },
      { speaker_id: 3, face_id: 3, verdict: 'rejected' },
      { speaker_id: 3, face_id: null, verdict: 'confirmed' },
    ];
    const answer = await expectOk(api().owner.post(`${media.match}/decisions`, { decisions }));
    expect(answer.body).to.deep.equal({ status: 'completed', message: 'The decisions were recorded' });
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1, accuracy: null, name: 'Ada Lovelace' });
    const position = answer.headers.get('X-Event-Position');
    const { body } = await expectOk(api().owner.get(`${media.match}/decisions`));
    expect(body).to.have.property('decisions').with.lengthOf(4);
    expect(body).to.containSubset({
      decisions: [
        { speaker_id: 2, face_id: 2, verdict: 'confirmed', via: 'put' },
        ...decisions.map((decision) => ({ ...decision, via: 'decision', by: 'owner', position })),
      ],
    });
    const run_id = await triggerCommit(api(), media);
    expect((await expectOk(api().worker.get(`${media.runs}/${run_id}`))).body).to.containSubset({ decisions });
  });

  it('are removed with DELETE, which keeps the name', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    const face = { id: 1, name: 'Ada Lovelace', speaker_id: null, accuracy: null, personality_traits: null };
    const { body } = await expectOk(api().owner.delete(`${media.video}/faces/1/match`));
    expect(body).to.deep.equal({ status: 'completed', face });
  });
});
