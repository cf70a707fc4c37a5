import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectOk, getFace, createMedia, getVideo } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import {
  triggerCommit,
  getLateWrites,
  matched,
  getRun,
  getRuns,
  triggerSuggest,
  runSuggest,
  writeBack,
} from '../support/e2e/runs.js';

describe('a write-back of matches', () => {
  const api = useTestApi();

  describe('is refused', () => {
    const refused = async (body: unknown) => {
      const media = await createMedia(api());
      await triggerSuggest(api(), media);
      return expectNothingWritten(api(), media, () => api().worker.put(media.writeBack, body));
    };

    it('from everybody but workers and admins, including the owner', async () => {
      const media = await createMedia(api());
      const body = { matches: [] };
      expectText(await api().anonymous.put(media.writeBack, body), 401);
      for (const caller of [api().owner, api().stranger, api().mediaWriter])
        expectCode(
          await expectNothingWritten(api(), media, () => caller.put(media.writeBack, body)),
          401,
          'not_authorised',
        );
      await expectOk(api().admin.put(media.writeBack, body));
    });

    it('for a video that does not exist', async () => {
      expectCode(await api().worker.put('/v2/videos/none/matched_speakers', { matches: [] }), 404, 'unknown_video');
    });

    it('with a body of another shape', async () => {
      expectMalformed(await refused({}), 'matches');
      expectMalformed(await refused({ matches: null }), 'matches');
      expectMalformed(await refused({ status: 'done', matches: [] }), 'status');
      expectMalformed(await refused({ run_id: 7, matches: [] }), 'run_id');
      expectMalformed(await refused({ run_id: 'no run!', matches: [] }), 'run_id');
      expectMalformed(await refused({ matches: [{ face_id: 1, speaker_id: 1 }] }), 'matches[0].accuracy');
      expectMalformed(await refused({ matches: [matched(1, 1, 1.01)] }), 'matches[0].accuracy');
      expectMalformed(await refused({ matches: [matched(1, 1, -0.01)] }), 'matches[0].accuracy');
      expectMalformed(await refused({ status: 'failed', error: 5 }), 'error');
    });

    it('with impossible matches', async () => {
      expectCode(await refused({ matches: [matched(1, 1), matched(1, 2)] }), 400, 'duplicate_face_id');
      expectCode(await refused({ matches: [matched(1, 1), matched(2, 1)] }), 400, 'duplicate_speaker_id');
      expectCode(await refused({ matches: [matched(99, 1)] }), 404, 'InvalidFace');
      expectCode(await refused({ matches: [matched(1, 99)] }), 404, 'InvalidSpeaker');
    });

    it('for a run that the video does not have', async () => {
      expectCode(await refused({ run_id: 'another', matches: [] }), 404, 'unknown_run');
      const elsewhere = await createMedia(api());
      const run_id = await triggerSuggest(api(), elsewhere);
      expectCode(await refused({ run_id, matches: [] }), 404, 'unknown_run');
    });

    it('with speakers that are not targets of its run', async () => {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media, { target_speaker_ids: [2] });
      const answer = await expectNothingWritten(api(), media, () =>
        writeBack(api(), media, { run_id, matches: [matched(1, 1)] }),
      );
      expectCode(answer, 400, 'speaker_not_targeted');
    });
  });

  describe('with a run id', () => {
    it('is applied once: a second one is ignored, with the reason, and listed', async () => {
      const media = await createMedia(api());
      const run_id = await runSuggest(api(), media, matched(1, 1));
      const before = await getVideo(api(), media);
      const { body, headers } = await writeBack(api(), media, { run_id, matches: [matched(1, 2, 0.25)] });
      expect(body).to.deep.equal({ status: 'ignored', run_id, reason: 'run_ended' });
      expect(headers.get('X-Event-Position')).to.match(/\S/);
      expect(await getVideo(api(), media)).to.deep.equal(before);
      const [arrival, ...others] = (await getRun(api(), media, run_id)).late_arrivals;
      expect(others).to.deep.equal([]);
      expect(arrival).to.deep.include({ reason: 'run_ended', status: 'completed', matches: [matched(1, 2, 0.25)] });
      expect(await getLateWrites(api(), media)).to.have.length(1);
    });

    it('of a failure is applied once, too', async () => {
      const media = await createMedia(api());
      const run_id = await triggerCommit(api(), media);
      const failure = { run_id, status: 'failed', error: 'out of memory' };
      expect((await writeBack(api(), media, failure)).body).to.deep.equal({ status: 'failed', run_id });
      expect((await writeBack(api(), media, failure)).body).to.deep.equal({
        status: 'ignored',
        run_id,
        reason: 'run_ended',
      });
      expect((await getRun(api(), media, run_id)).late_arrivals).to.have.length(1);
    });

    it('of a commit run that a newer trigger superseded changes nothing', async () => {
      const media = await createMedia(api());
      const old = await triggerCommit(api(), media);
      const newer = await triggerSuggest(api(), media);
      const { body } = await writeBack(api(), media, { run_id: old, matches: [matched(1, 1)] });
      expect(body).to.deep.equal({ status: 'ignored', run_id: old, reason: 'run_superseded' });
      expect(await getFace(api(), media, 1)).to.include({ speaker_id: null });
      expect(await getRun(api(), media, old)).to.deep.include({ state: 'superseded', superseded_by: newer });
      expect(await getRun(api(), media, newer)).to.deep.include({ state: 'in_flight' });
    });

    it('of null is the same as none', async () => {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media);
      const { body } = await writeBack(api(), media, { run_id: null, matches: [] });
      expect(body).to.deep.equal({ status: 'stored', run_id });
    });
  });

  describe('without a run id', () => {
    it('stores the block of the suggest run in flight, as assumed', async () => {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media);
      const { body } = await writeBack(api(), media, { matches: [matched(1, 1)] });
      expect(body).to.deep.equal({ status: 'stored', run_id });
      expect(await getFace(api(), media, 1)).to.include({ speaker_id: null });
      expect(await getRun(api(), media, run_id)).to.deep.include({
        state: 'completed',
        attribution: 'assumed',
        candidate_run_ids: [run_id],
        late_write_suspected: false,
      });
    });

    it('is committed after a commit trigger, and the event has each face before and after', async () => {
      const media = await createMedia(api(), { faces: [{ id: 1, personality_traits: { calm: 1 } }] });
      const run_id = await triggerCommit(api(), media);
      const { body } = await writeBack(api(), media, { matches: [matched(1, 1, 0.5)] });
      expect(body).to.deep.equal({ status: 'committed', run_id });
      const { type, data } = await getLastEvent(api().admin, media.video);
      expect(type).to.equal('MatchesCommitted');
      expect(data).to.deep.include({
        attribution: 'assumed',
        candidate_run_ids: [run_id],
        late_write_suspected: false,
      });
      expect(data['changes']).to.deep.equal([
        {
          face_id: 1,
          before: { name: 'Face 1', speaker_id: null, accuracy: null, personality_traits: { calm: 1 } },
          after: { name: 'Ada Lovelace', speaker_id: 1, accuracy: 0.5, personality_traits: null },
          named_by: { before: 'analysis', after: 'speaker' },
        },
      ]);
    });

    it('on a video that never had a run is committed, gets its own run and can be undone', async () => {
      const media = await createMedia(api());
      const { body } = await writeBack(api(), media, { matches: [matched(1, 1)] });
      expect(body).to.deep.include({ status: 'committed' });
      const [run] = await getRuns(api(), media);
      expect(run).to.deep.include({ attribution: 'unattributed', changed_faces: [1] });
      expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1 });
      await expectOk(api().owner.post(`${media.runs}/${run?.run_id}/revert`));
      expect(await getFace(api(), media, 1)).to.include({ speaker_id: null, name: 'Face 1' });
    });

    it('of a failure without a run changes nothing', async () => {
      const media = await createMedia(api());
      const { body } = await expectNothingWritten(api(), media, () =>
        writeBack(api(), media, { status: 'failed', error: 'lost' }),
      );
      expect(body).to.deep.equal({ status: 'ignored', run_id: null, reason: 'nothing_to_fail' });
    });

    it('of a failure ends the suggest run in flight', async () => {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media);
      const { body } = await writeBack(api(), media, { status: 'failed' });
      expect(body).to.deep.equal({ status: 'failed', run_id });
      expect(await getRun(api(), media, run_id)).to.include({ state: 'failed' });
    });

    it('is replaced when the answer with the run id arrives later', async () => {
      const media = await createMedia(api());
      const run_id = await triggerCommit(api(), media);
      await expectOk(writeBack(api(), media, { matches: [matched(1, 1, 0.5)] }));
      const { body } = await writeBack(api(), media, { run_id, matches: [matched(3, 2, 0.9)] });
      expect(body).to.deep.equal({ status: 'committed', run_id });
      expect(await getFace(api(), media, 1)).to.include({ speaker_id: null, name: 'Face 1', accuracy: null });
      expect(await getFace(api(), media, 3)).to.include({ speaker_id: 2, name: 'Alan Turing', accuracy: 0.9 });
      expect(await getRun(api(), media, run_id)).to.deep.include({ attribution: 'own', changed_faces: [3] });
    });
  });

  it('never writes a placeholder over a real name', async () => {
    const media = await createMedia(api(), { speakers: [{ speaker_id: 1, name: 'SPEAKER_01' }] });
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(2, 1)] }));
    expect(await getFace(api(), media, 2)).to.include({ name: 'Grace Hopper', speaker_id: 1 });
  });
});
