import { expect } from 'chai';
import * as t from 'io-ts';
import { LinkDecision } from '../../projections/link-decisions.js';
import { ReviewQuestion } from '../../projections/review.js';
import { expectOk, getVideo } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { early, other, positionOf, renumbering, speech } from '../support/e2e/renumbering.js';
import { getRun, matched, runSuggest, triggerCommit, triggerSuggest, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

describe('matches after a newer analysis that numbers differently', () => {
  const api = useTestApi();
  const { analyseAudio, twoOfEach, name, map, swapSpeakers, swapFaces, speakersOf, facesOf, block, pairsIn } =
    renumbering(api);

  it('takes decisions, the stored block and review questions along', async () => {
    const media = await twoOfEach();
    await expectOk(
      api().owner.post(`${media.match}/decisions`, {
        decisions: [{ speaker_id: 1, face_id: 0, verdict: 'rejected' }],
      }),
    );
    await runSuggest(api(), media, matched(0, 0, 0.75), matched(1, 1, 0.5));
    await swapSpeakers(media);
    expect(await pairsIn(media)).to.deep.equal([
      [0, 1],
      [1, 0],
    ]);
    await swapFaces(media);
    expect(await pairsIn(media)).to.deep.equal([
      [1, 1],
      [0, 0],
    ]);
    const standing = bodyOf(
      t.type({ decisions: t.array(LinkDecision) }),
      await api().owner.get(`${media.match}/decisions`),
    );
    expect(standing.decisions.map(({ speaker_id, face_id }) => [speaker_id, face_id])).to.deep.equal([[0, 1]]);
    const Questions = t.type({
      questions: t.array(t.type({ speaker_id: t.number, candidates: ReviewQuestion.types[0].props.candidates })),
    });
    const { questions } = bodyOf(Questions, await api().owner.get(`/v2/review?video_id=${media.videoId}`));
    expect(questions.map(({ speaker_id, candidates }) => [speaker_id, candidates[0]?.face_id])).to.have.deep.members([
      [1, 1],
      [0, 0],
    ]);
    await map(media, ...(await block(media)).mappings);
    await analyseAudio(media, speech({ 5: early }));
    expect(await pairsIn(media)).to.deep.equal([[1, 5]]);
    expect((await block(media)).unmatched_faces).to.deep.equal([0]);
  });

  it('translates the answer of a run that was queued before, or leaves out whom it no longer has', async () => {
    const media = await twoOfEach();
    const run_id = await triggerSuggest(api(), media, { target_speaker_ids: [0, 1] });
    await swapSpeakers(media);
    await swapFaces(media);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(0, 0), matched(1, 1)] }));
    expect(await pairsIn(media)).to.deep.equal([
      [1, 1],
      [0, 0],
    ]);
    const commit = await triggerCommit(api(), media);
    await analyseAudio(media, speech({ 0: other, 1: early }));
    const answer = await expectOk(writeBack(api(), media, { run_id: commit, matches: [matched(0, 0), matched(1, 1)] }));
    expect(answer.body).to.deep.equal({
      status: 'committed',
      run_id: commit,
      skipped: [{ face_id: 0, speaker_id: 0, reason: 'speaker_discontinued' }],
    });
    expect((await facesOf(media)).map(([id, , speaker_id]) => [id, speaker_id])).to.deep.equal([
      [0, null],
      [1, 1],
    ]);
  });

  it("takes a run's accuracy to the face that has the match", async () => {
    const media = await twoOfEach();
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(0, 0, 0.75), matched(1, 1, 0.5)] }));
    await swapFaces(media);
    expect(
      (await getVideo(api(), media)).faces.map(({ id, speaker_id, accuracy }) => [id, speaker_id, accuracy]),
    ).to.deep.equal([
      [0, 1, 0.5],
      [1, 0, 0.75],
    ]);
  });

  it('lets a worker say of which revision its numbers are', async () => {
    const media = await twoOfEach();
    const run_id = await triggerSuggest(api(), media);
    expect((await getRun(api(), media, run_id)).video_revision).to.be.a('number');
    await swapSpeakers(media);
    const video_revision = Number((await api().owner.get(media.video)).headers.get('ETag')?.replaceAll('"', ''));
    await expectOk(writeBack(api(), media, { run_id, video_revision, matches: [matched(0, 1)] }));
    expect(await pairsIn(media)).to.deep.equal([[0, 1]]);
  });

  it('ends the undo of changes that touched its numbers, and of no others', async () => {
    const media = await twoOfEach();
    const first = positionOf(await name(media, 0, 'Anna'));
    const commit = positionOf(await map(media, { face_id: 1, speaker_id: 1 }));
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(0, 0)] }));
    const title = positionOf(await expectOk(api().owner.patch(media.audio, { title: 'A call' })));
    await swapSpeakers(media);
    const refused = [
      await api().owner.post(`${media.audio}/history/${first}/revert`),
      await api().owner.post(`${media.video}/history/${commit}/revert`),
      await api().owner.post(`${media.video}/history/${commit}/revert`, { dry_run: true }),
      await api().owner.post(`${media.runs}/${run_id}/revert`),
    ];
    for (const answer of refused) {
      expectCode(answer, 409, 'not_revertible');
      expect(answer.body).to.have.nested.property('detail.reason', 'renumbered');
    }
    await expectOk(api().owner.post(`${media.audio}/history/${title}/revert`));
    const later = positionOf(await name(media, 1, 'Eve'));
    await expectOk(api().owner.post(`${media.audio}/history/${later}/revert`));
    expect(await speakersOf(media)).to.deep.equal([
      [0, null],
      [1, 'Anna'],
    ]);
  });
});
