import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createMedia, expectOk, getFace, getVideo } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import {
  getLateWrites,
  getRun,
  getStatus,
  matched,
  runSuggest,
  triggerCommit,
  triggerSuggest,
  waitUntilStale,
  writeBack,
} from '../support/e2e/runs.js';
import { openTestApi, useTestApi } from '../support/e2e/test-api.js';

describe('match runs', () => {
  const api = useTestApi();

  it('have a status that is part of the answer only with the parameter', async () => {
    const { video } = await createMedia(api());
    const statuses = async (query: string) => (await expectOk(api().owner.get(`${video}/statuses${query}`))).body;
    expect(await statuses('?speaker_face_match_status=false')).to.deep.equal({ status: 'completed' });
    expect(await statuses('?speaker_face_match_status=1')).to.include({ run_id: null, in_flight: false });
  });

  it('in suggest mode store a block and do not change the faces', async () => {
    const media = await createMedia(api());
    const before = (await getVideo(api(), media)).faces;
    const run_id = await triggerSuggest(api(), media);
    const { body } = await writeBack(api(), media, { run_id, matches: [matched(1, 2, 0.75)] });
    expect(body).to.deep.equal({ status: 'stored', run_id });
    expect((await getVideo(api(), media)).faces).to.deep.equal(before);
    const block = (await expectOk(api().owner.get(media.suggestions))).body;
    expect(block).to.deep.include({
      run_id,
      mappings: [
        { face_id: 1, speaker_id: 2, name: 'Alan Turing', accuracy: 0.75, channel: 'co_occurrence', evidence: {} },
      ],
      unmatched_speakers: [
        { speaker_id: 1, reason: 'not_matched' },
        { speaker_id: 3, reason: 'not_matched' },
      ],
      unmatched_faces: [2, 3],
    });
    expect((await getVideo(api(), media)).speaker_face_match.suggestions).to.deep.equal(block);
    const ended = { mode: 'suggest', run_id, in_flight: false, stale: false };
    expect(await getStatus(api(), media)).to.deep.include({ speaker_face_match_status: 'completed', ...ended });
    expect(await getRun(api(), media, run_id)).to.deep.include({ state: 'completed', attribution: 'own' });
  });

  it('are waited for until they have ended, or the video is erased', async () => {
    for (const isErased of [false, true]) {
      const media = await createMedia(api());
      const run_id = await triggerSuggest(api(), media);
      const path = `${media.runs}/${run_id}`;
      const waiting = [api().owner, api().owner, api().worker].map((client) => client.get(`${path}?wait=30`));
      await setTimeout(200);
      if (isErased) await expectOk(api().owner.delete(media.video));
      else await expectOk(writeBack(api(), media, { run_id, matches: [matched(1, 1)] }));
      for (const answer of await Promise.all(waiting))
        if (isErased) expectCode(answer, 410, 'erased');
        else expect(answer.body).to.include({ run_id, video_id: media.videoId, state: 'completed' });
      expect((await api().worker.get(`${path}?wait=30`)).status).to.equal(isErased ? 410 : 200);
    }
  });

  it('are listed by state, oldest first, and shown to waiting workers as soon as there is one', async () => {
    const list = async (query: string) => (await expectOk(api().worker.get(`/v2/match-runs${query}`))).body;
    expect(await list('?state=in_flight')).to.deep.equal({ match_runs: [], next_cursor: null });
    const waiting = list('?state=in_flight&wait=30');
    await setTimeout(100);
    const one = await triggerSuggest(api(), await createMedia(api()));
    expect(await waiting).to.containSubset({ match_runs: [{ run_id: one }] });
    const media = await createMedia(api());
    const other = await triggerCommit(api(), media);
    const first = await list('?state=in_flight&limit=1');
    expect(first).to.have.nested.property('match_runs[0].run_id', one);
    const cursor = String(Reflect.get(Object(first), 'next_cursor'));
    expect(await list(`?state=in_flight&limit=1&cursor=${cursor}`)).to.have.nested.property(
      'match_runs[0].run_id',
      other,
    );
    const ended = await runSuggest(api(), await createMedia(api()), matched(1, 1));
    expect(await list('?state=completed')).to.containSubset({ match_runs: [{ run_id: ended }] });
  });
});

describe('match runs after the stale window (section 3)', () => {
  it('the race: a late write of an old suggest run changes faces, is flagged and listed, and can be undone', async () => {
    const api = await openTestApi({ match_stale_seconds: 1 });
    const media = await createMedia(api, { faces: [{ id: 1, personality_traits: { calm: 1 } }, { id: 2 }] });
    const preview = await triggerSuggest(api, media);
    expect((await api.owner.get(`${media.runs}/${preview}?wait=20`)).body).to.include({ state: 'stale' });
    const committing = await triggerCommit(api, media);
    expect(await getStatus(api, media)).to.deep.include({ mode: null, queued_at: null, stale: true });

    const face = await getFace(api, media, 1);
    const late = await writeBack(api, media, { matches: [matched(1, 2, 0.4)] });
    expect(late.body).to.deep.equal({ status: 'committed', run_id: committing });
    expect(await getFace(api, media, 1)).to.include({ name: 'Alan Turing', speaker_id: 2, personality_traits: null });
    const [listed] = await getLateWrites(api, media);
    expect(listed).to.deep.include({
      status: 'committed',
      run_id: committing,
      late_write_suspected: true,
      candidate_run_ids: [preview, committing],
      reverted_at: null,
      matches: [matched(1, 2, 0.4)],
      request_id: late.headers.get('X-Request-Id'),
    });

    const revert = await expectOk(api.owner.post(`${media.runs}/${committing}/revert`));
    expect(revert.body).to.deep.equal({ run_id: committing, status: 'reverted', reverted: [1], changed_since: [] });
    expect(await getFace(api, media, 1)).to.deep.equal(face);
    expect((await getLateWrites(api, media))[0]?.reverted_at).to.match(/Z$/);

    await waitUntilStale();
    const waiting = api.worker.get('/v2/match-runs?state=in_flight&wait=30');
    await setTimeout(100);
    await api.world.end();
    expect((await waiting).body, 'once the service is stopped').to.deep.include({ match_runs: [] });
  });
});
