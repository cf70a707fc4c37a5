import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi, openTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { triggerCommit, matched, triggerSuggest, runSuggest, waitUntilStale, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

const Run = t.type({ run_id: t.string, video_id: t.string, state: t.string });
const Runs = t.type({ match_runs: t.array(Run), next_cursor: t.union([t.string, t.null]) });

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

describe('waiting for match runs', () => {
  const api = useTestApi();

  it('answers all waiting requests when the run has ended', async () => {
    const media = await createMedia(api());
    const run_id = await triggerSuggest(api(), media);
    const path = `${media.runs}/${run_id}`;
    expect(bodyOf(Run, await api().owner.get(path)).state).to.equal('in_flight');
    const waiting = Array.from({ length: 50 }, () => api().owner.get(`${path}?wait=30`));
    await pause(200);
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(1, 1)] }));
    for (const came of await Promise.all(waiting))
      expect(bodyOf(Run, came)).to.include({ run_id, video_id: media.videoId, state: 'completed' });
    expect(bodyOf(Run, await api().worker.get(`${path}?wait=30`)).state).to.equal('completed');
  });

  it('answers 410 as soon as the video is erased, like every later request', async () => {
    const media = await createMedia(api());
    const run_id = await triggerSuggest(api(), media);
    const path = `${media.runs}/${run_id}`;
    const waiting = [api().owner, api().owner, api().worker].map((client) => client.get(`${path}?wait=30`));
    await pause(200);
    await expectOk(api().owner.delete(media.video));
    const later = await api().owner.get(path);
    expectCode(later, 410, 'erased');
    for (const came of await Promise.all(waiting)) expect([came.status, came.text]).to.deep.equal([410, later.text]);
  });

  it('informs workers of a run as soon as there is one, and lists runs by state, oldest first', async () => {
    const list = async (query: string) => bodyOf(Runs, await api().worker.get(`/v2/match-runs${query}`)).match_runs;
    expect(await list('?state=in_flight')).to.deep.equal([]);
    const waiting = api().worker.get('/v2/match-runs?state=in_flight&wait=30');
    await pause(100);
    const [first, second] = [await createMedia(api()), await createMedia(api())];
    const one = await triggerSuggest(api(), first);
    expect(bodyOf(Runs, await waiting).match_runs.map(({ run_id }) => run_id)).to.deep.equal([one]);
    const other = await triggerCommit(api(), second);
    const open = bodyOf(Runs, await api().worker.get('/v2/match-runs?state=in_flight&limit=1'));
    expect(open.match_runs.map(({ run_id }) => run_id)).to.deep.equal([one]);
    const next = await list(`?state=in_flight&limit=1&cursor=${open.next_cursor}`);
    expect(next.map(({ run_id, state }) => [run_id, state])).to.deep.equal([[other, 'in_flight']]);
    const ended = await runSuggest(api(), await createMedia(api()), matched(1, 1));
    expect((await list('?state=completed')).map(({ run_id }) => run_id)).to.include(ended);
    expect((await list('')).map(({ run_id }) => run_id)).to.include.members([one, other, ended]);
    for (const [media, run_id] of [
      [first, one],
      [second, other],
    ] as const)
      await expectOk(writeBack(api(), media, { run_id, status: 'failed' }));
  });
});

describe('waiting for match runs that nobody answers', () => {
  it('ends when the run is stale, and when the service is stopped', async () => {
    const api = await openTestApi({ match_stale_seconds: 1 });
    try {
      const media = await createMedia(api);
      const stale = await triggerSuggest(api, media);
      const came = await api.owner.get(`${media.runs}/${stale}?wait=20`);
      expect(bodyOf(Run, came).state).to.equal('stale');
      await waitUntilStale();
      const waiting = api.worker.get('/v2/match-runs?state=in_flight&wait=30');
      await pause(100);
      await api.world.end();
      expect(bodyOf(Runs, await waiting).match_runs).to.deep.equal([]);
    } finally {
      await api.world.end().catch(() => undefined);
    }
  });
});
