import { expect } from 'chai';
import * as t from 'io-ts';
import { LateWriteView } from '../../projections/views.js';
import { eventStoreOf } from '../support/engine.js';
import { runCommand } from '../support/e2e/command.js';
import { useMarts } from '../support/e2e/marts.js';
import { type Media, createMedia, expectOk, getFace } from '../support/e2e/media.js';
import { getRuns, matched, triggerCommit, triggerSuggest, waitUntilStale, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

describe('the example queries on marts of matches', function () {
  this.timeout(60_000);
  const api = useTestApi({ match_stale_seconds: 1 });
  const marts = useMarts(api);

  const commit = async (media: Media, ...matches: ReadonlyArray<ReturnType<typeof matched>>): Promise<string> => {
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { run_id, matches }));
    return run_id;
  };
  const link = (media: Media, face_id: number, speaker_id: number): Promise<HttpAnswer> =>
    expectOk(api().owner.put(media.match, { mappings: [{ face_id, speaker_id }] }));

  it('count and list the matches that were changed after a run had committed them', async () => {
    const { owner } = api();
    const all: Media[] = [];
    for (let count = 0; count < 8; count += 1) all.push(await createMedia(api()));
    const [byPut, byDecision, byDeletion, byRun, byUndo, bySpeaker, again, kept] = all;
    if (!byPut || !byDecision || !byDeletion || !byRun || !byUndo || !bySpeaker || !again || !kept) throw new Error();
    const runs = new Map<string, string>();
    for (const media of all) runs.set(media.videoId, await commit(media, matched(1, 1)));
    await link(byPut, 1, 2);
    const decisions = [{ speaker_id: 2, face_id: 1, verdict: 'confirmed' }];
    await expectOk(owner.post(`${byDecision.match}/decisions`, { decisions }));
    await expectOk(owner.delete(`${byDeletion.video}/faces/1/match`));
    await expectOk(owner.post(`${byRun.runs}/${runs.get(byRun.videoId)}/revert`));
    const position = (await link(byUndo, 1, 2)).headers.get('X-Event-Position');
    await expectOk(owner.post(`${byUndo.video}/history/${position}/revert`));
    await expectOk(owner.delete(`${bySpeaker.audio}/speakers/1`));
    await commit(again, matched(1, 2));
    // No run had committed a match of these.
    const byHand = await createMedia(api());
    await link(byHand, 1, 2);
    await link(byHand, 1, 1);
    await link(kept, 2, 2);

    await marts.exportNow();
    expect(await marts.ask('changed')).to.deep.equal([{ committed: '9', changed: '6' }]);
    const changes = await marts.ask('changes');
    const change = ({ videoId }: Media, type: string, before: number | null, after: number | null) => ({
      video_id: videoId,
      face_id: '1',
      speaker_id_before: before === null ? null : String(before),
      speaker_id_after: after === null ? null : String(after),
      event_type: type,
      committed_by: runs.get(videoId),
    });
    expect(changes.map(({ recorded_at: _at, cause: _cause, account_id: _by, ...rest }) => rest)).to.deep.equal([
      change(byPut, 'FacesMatched', 1, 2),
      change(byDecision, 'LinksDecided', 1, 2),
      change(byDeletion, 'FaceUnmatched', 1, null),
      change(byRun, 'MatchRunReverted', 1, null),
      change(byUndo, 'FacesMatched', 1, 2),
      change(byUndo, 'VideoChangeReverted', 2, 1),
      change(bySpeaker, 'SpeakerWithdrawn', 1, null),
    ]);
    for (const { account_id } of changes) expect(account_id).to.equal('owner');
  });

  it('tell whether what a late write-back changed still stands', async () => {
    const { owner, admin } = api();
    const all: Media[] = [];
    for (let count = 0; count < 5; count += 1) all.push(await createMedia(api()));
    const [stands, changed, restored, reverted, ignored] = all;
    if (!stands || !changed || !restored || !reverted || !ignored) throw new Error();
    const old = new Map<string, string>();
    for (const media of all) old.set(media.videoId, await triggerSuggest(api(), media));
    await waitUntilStale();
    const runs = new Map<string, string>();
    for (const media of all) runs.set(media.videoId, await triggerCommit(api(), media));
    for (const media of all.slice(0, -1))
      await expectOk(writeBack(api(), media, { matches: [matched(1, 2, 0.4), matched(3, 3, 0.4)] }));
    await expectOk(writeBack(api(), ignored, { run_id: old.get(ignored.videoId), matches: [matched(1, 2)] }));
    // A person changes face 1 twice; the run's revert would find nothing to put back there.
    await link(changed, 1, 1);
    await expectOk(owner.delete(`${changed.video}/faces/1/match`));
    await link(restored, 1, 1);
    await link(restored, 1, 2);
    await expectOk(owner.post(`${reverted.runs}/${runs.get(reverted.videoId)}/revert`));

    await marts.exportNow();
    const where = { DATA_DIR: api().world.dataDir, EVENT_STORE: await eventStoreOf(api().world.dataDir) };
    const listed = async ({ videoId }: Media) =>
      (await runCommand(['audit', 'late-writes', '--video', videoId], where)).out.split('\n');
    expect((await listed(ignored))[1]).to.equal(`    video ${ignored.videoId}, run ${old.get(ignored.videoId)}`);
    expect((await listed(stands))[1]).to.equal(`    video ${stands.videoId}, run ${runs.get(stands.videoId)}, assumed`);
    expect((await listed(reverted)).at(-2)).to.match(/^ {4}undone \S+Z$/);
    const rows = await marts.ask('late');
    const late = bodyOf(
      t.type({ late_writes: t.array(LateWriteView) }),
      await admin.get('/v1/audit/late-writes'),
    ).late_writes.toReversed();
    expect([...new Set(rows.map(({ run_id }) => run_id))]).to.deep.equal(late.map(({ run_id }) => run_id));
    expect(late.map(({ status }) => status)).to.deep.equal([...Array<string>(4).fill('committed'), 'ignored']);
    const shown = ({ videoId }: Media, face: number | null, after: number | null, isStanding: boolean | null) => [
      videoId,
      face === null ? null : String(face),
      after === null ? null : String(after),
      isStanding,
    ];
    expect(
      rows.map(({ video_id, face_id, speaker_id_after, stands: is }) => [video_id, face_id, speaker_id_after, is]),
    ).to.deep.equal([
      shown(stands, 1, 2, true),
      shown(stands, 3, 3, true),
      shown(changed, 1, 2, false),
      shown(changed, 3, 3, true),
      shown(restored, 1, 2, true),
      shown(restored, 3, 3, true),
      shown(reverted, 1, 2, false),
      shown(reverted, 3, 3, false),
      shown(ignored, null, null, null),
    ]);
    for (const media of [stands, changed, restored, reverted])
      for (const { video_id, face_id, speaker_id_after, stands: is } of rows.filter(
        (row) => row['video_id'] === media.videoId,
      ))
        expect(
          String((await getFace(api(), media, Number(face_id))).speaker_id) === speaker_id_after,
          String(video_id),
        ).to.equal(is);
  });

  it('tell how long runs took', async () => {
    const media = await createMedia(api());
    await commit(media, matched(1, 1));
    await marts.exportNow();
    const videos = bodyOf(
      t.type({ videos: t.array(t.type({ video_id: t.string })) }),
      await api().owner.get('/v2/videos?limit=1000'),
    ).videos;
    const took: Array<{ readonly mode: string | null; readonly seconds: number }> = [];
    for (const { video_id } of videos)
      for (const { mode, outcome, queued_at, ended_at } of await getRuns(api(), {
        ...media,
        runs: `/v2/videos/${video_id}/match-runs`,
      }))
        if (outcome === 'completed' && queued_at !== null && ended_at !== null)
          took.push({ mode, seconds: (Date.parse(ended_at) - Date.parse(queued_at)) / 1_000 });
    const rows = await marts.ask('runs');
    expect(rows.map(({ mode }) => mode)).to.have.members([...new Set(took.map(({ mode }) => mode))]);
    for (const { mode, runs, longest } of rows) {
      const seconds = took.filter((run) => run.mode === mode).map((run) => run.seconds);
      expect(runs).to.equal(String(seconds.length));
      expect(longest).to.equal(Math.max(...seconds));
    }
  });
});
