import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getLastEvent } from '../support/e2e/history.js';
import { expectOk, getFace, createMedia } from '../support/e2e/media.js';
import {
  triggerCommit,
  getLateWrites,
  matched,
  getRun,
  getStatus,
  triggerSuggest,
  waitUntilStale,
  writeBack,
} from '../support/e2e/runs.js';

describe('after the stale window (section 3)', () => {
  const api = useTestApi({ match_stale_seconds: 1 });

  it('the race: a late write of an old suggest run changes faces, is flagged and listed, and can be undone', async () => {
    const media = await createMedia(api(), { faces: [{ id: 1, personality_traits: { calm: 1 } }, { id: 2 }] });
    const preview = await triggerSuggest(api(), media);
    await waitUntilStale();
    const committing = await triggerCommit(api(), media);
    expect(await getStatus(api(), media)).to.deep.include({ mode: null, queued_at: null, stale: true });

    const late = await writeBack(api(), media, { matches: [matched(1, 2, 0.4)] });
    expect(late.body).to.deep.equal({ status: 'committed', run_id: committing });
    expect(await getFace(api(), media, 1)).to.deep.equal({
      id: 1,
      name: 'Alan Turing',
      speaker_id: 2,
      accuracy: 0.4,
      personality_traits: null,
    });
    expect((await getLastEvent(api().owner, media.video)).data).to.deep.include({
      attribution: 'assumed',
      candidate_run_ids: [preview, committing],
      late_write_suspected: true,
    });
    expect(await getRun(api(), media, committing)).to.deep.include({ late_write_suspected: true, changed_faces: [1] });

    const [listed] = await getLateWrites(api(), media);
    expect(listed).to.deep.include({
      status: 'committed',
      run_id: committing,
      late_write_suspected: true,
      candidate_run_ids: [preview, committing],
      reverted_at: null,
      matches: [matched(1, 2, 0.4)],
      request_id: late.headers.get('X-Request-Id'),
    });
    expect(listed?.actor.account_id).to.equal('worker');

    const revert = await expectOk(api().owner.post(`${media.runs}/${committing}/revert`));
    expect(revert.body).to.deep.equal({ run_id: committing, status: 'reverted', reverted: [1], changed_since: [] });
    expect(await getFace(api(), media, 1)).to.deep.equal({
      id: 1,
      name: 'Face 1',
      speaker_id: null,
      accuracy: null,
      personality_traits: { calm: 1 },
    });
    expect((await getLateWrites(api(), media))[0]?.reverted_at).to.match(/Z$/);
    expect(await getRun(api(), media, committing)).to.deep.include({ changed_faces: [] });
  });
});
