import { expect } from 'chai';
import * as t from 'io-ts';
import { LinkDecision } from '../../projections/link-decisions.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { triggerCommit, getRun } from '../support/e2e/runs.js';
import { type HttpAnswer, type HttpClient, bodyOf } from '../support/http-client.js';

const Standing = t.type({ decisions: t.readonlyArray(LinkDecision) });

describe("people's decisions about faces and speakers", () => {
  const api = useTestApi();
  const pathOf = ({ match }: Media) => `${match}/decisions`;
  const decide = (media: Media, decisions: unknown, client: HttpClient = api().owner) =>
    client.post(pathOf(media), { decisions });
  const standing = async (media: Media, client: HttpClient = api().owner) =>
    bodyOf(Standing, await client.get(pathOf(media))).decisions;
  const pairsOf = async (media: Media) =>
    (await standing(media)).map(({ speaker_id, face_id, verdict, via }) => [speaker_id, face_id, verdict, via]);
  const confirmed = (speaker_id: number, face_id: number | null) => ({ speaker_id, face_id, verdict: 'confirmed' });
  const rejected = (speaker_id: number, face_id: number) => ({ speaker_id, face_id, verdict: 'rejected' });
  const positionOf = ({ headers }: HttpAnswer): string => headers.get('X-Event-Position') ?? 'none';

  it('make and take matches, and are listed with who decided, when and how', async () => {
    const media = await createMedia(api());
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2 }] }));
    const answer = await expectOk(decide(media, [confirmed(1, 1), rejected(3, 3), confirmed(3, null)]));
    expect(answer.body).to.deep.equal({ status: 'completed', message: 'The decisions were recorded' });
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1, accuracy: null, name: 'Ada Lovelace' });
    expect(await pairsOf(media)).to.have.deep.members([
      [2, 2, 'confirmed', 'put'],
      [1, 1, 'confirmed', 'decision'],
      [3, 3, 'rejected', 'decision'],
      [3, null, 'confirmed', 'decision'],
    ]);
    const decision = (await standing(media)).find(({ speaker_id }) => speaker_id === 1);
    expect(decision).to.include({ by: 'owner', position: positionOf(answer) });
  });

  it('are passed to workers, and what contradicts them is removed from answers', async () => {
    const media = await createMedia(api());
    await expectOk(decide(media, [confirmed(1, 1), rejected(3, 3)]));
    const run_id = await triggerCommit(api(), media);
    const run = await api().worker.get(`${media.runs}/${run_id}`);
    expect(run.body).to.have.nested.property('decisions[0].speaker_id', 1);
    expect(run.body).to.have.nested.property('decisions[1].verdict', 'rejected');
    const matches = [
      { face_id: 1, speaker_id: 2, accuracy: 0.9 },
      { face_id: 3, speaker_id: 3, accuracy: 0.9 },
    ];
    const answer = await expectOk(api().worker.put(media.writeBack, { run_id, matches }));
    expect(answer.body).to.deep.equal({
      status: 'committed',
      run_id,
      skipped: [
        { face_id: 1, speaker_id: 2, reason: 'face_confirmed' },
        { face_id: 3, speaker_id: 3, reason: 'pair_rejected' },
      ],
    });
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1, accuracy: null });
    expect((await getRun(api(), media, run_id)).state).to.equal('completed');
  });
});
