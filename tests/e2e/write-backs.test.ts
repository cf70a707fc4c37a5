import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectOk, getFace, createMedia, getVideo } from '../support/e2e/media.js';
import { triggerCommit, getLateWrites, matched, getRun, getRuns, runSuggest, writeBack } from '../support/e2e/runs.js';

describe('a write-back of matches', () => {
  const api = useTestApi();

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
  });

  describe('without a run id', () => {
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
  });
});
