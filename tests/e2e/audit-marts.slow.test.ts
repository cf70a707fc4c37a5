import { expect } from 'chai';
import * as t from 'io-ts';
import { useMarts } from '../support/e2e/marts.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { commitPath, createRecording, grant, ledgerOf, rowsOf, suggestPath } from '../support/e2e/naming.js';
import { matched, triggerCommit, triggerSuggest, waitUntilStale, writeBack } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const Groups = t.type({ groups: t.array(t.type({ day: t.string, amount: t.number })) });
const runIdOf = ({ headers }: HttpAnswer): string => headers.get('X-Run-Id') ?? '';

describe('the example queries on marts', function () {
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
  const undo = ({ video }: Media, { headers }: HttpAnswer) =>
    expectOk(api().owner.post(`${video}/history/${headers.get('X-Event-Position')}/revert`));

  it('count and list the matches that were changed after a run had committed them, and tell how long runs took', async () => {
    const { owner } = api();
    const decisions = [{ speaker_id: 2, face_id: 1, verdict: 'confirmed' }];
    /** Changes after a run committed speaker 1 to face 1, and the rows of each: event type, speaker before and after. */
    const changes: ReadonlyArray<
      readonly [
        change: (media: Media, run_id: string) => Promise<unknown>,
        ...rows: ReadonlyArray<readonly [type: string, before: string | null, after: string | null]>,
      ]
    > = [
      [(media) => link(media, 1, 2), ['FacesMatched', '1', '2']],
      [({ match }) => expectOk(owner.post(`${match}/decisions`, { decisions })), ['LinksDecided', '1', '2']],
      [({ video }) => expectOk(owner.delete(`${video}/faces/1/match`)), ['FaceUnmatched', '1', null]],
      [({ runs }, run) => expectOk(owner.post(`${runs}/${run}/revert`)), ['MatchRunReverted', '1', null]],
      [
        async (media) => undo(media, await link(media, 1, 2)),
        ['FacesMatched', '1', '2'],
        ['VideoChangeReverted', '2', '1'],
      ],
      [({ audio }) => expectOk(owner.delete(`${audio}/speakers/1`)), ['SpeakerWithdrawn', '1', null]],
      [(media) => commit(media, matched(1, 2))],
      [(media) => link(media, 2, 2)],
    ];
    const wanted: unknown[] = [];
    for (const [change, ...rows] of changes) {
      const media = await createMedia(api());
      const committed_by = await commit(media, matched(1, 1));
      await change(media, committed_by);
      for (const [event_type, speaker_id_before, speaker_id_after] of rows)
        wanted.push([media.videoId, event_type, speaker_id_before, speaker_id_after, committed_by]);
    }
    const byHand = await createMedia(api());
    await link(byHand, 1, 2);
    await link(byHand, 1, 1);

    await marts.exportNow();
    expect(await marts.ask('changed')).to.deep.equal([{ committed: '9', changed: '6' }]);
    const found = await marts.ask('changes');
    expect(
      found.map((row) => [
        row['video_id'],
        row['event_type'],
        row['speaker_id_before'],
        row['speaker_id_after'],
        row['committed_by'],
      ]),
    ).to.deep.equal(wanted);
    for (const { account_id } of found) expect(account_id).to.equal('owner');
    const [runs] = await marts.ask('runs');
    expect(runs).to.include({ mode: 'commit', runs: '9' });
  });

  it('tell whether what a late write-back changed still stands', async () => {
    const [media, ignored] = [await createMedia(api()), await createMedia(api())];
    await triggerSuggest(api(), media);
    const preview = await triggerSuggest(api(), ignored);
    await waitUntilStale();
    await triggerCommit(api(), ignored);
    await triggerCommit(api(), media);
    const matches = [matched(1, 2, 0.4), matched(3, 3, 0.4)];
    await expectOk(writeBack(api(), media, { matches }));
    await expectOk(writeBack(api(), ignored, { run_id: preview, matches }));
    await expectOk(api().owner.delete(`${media.video}/faces/1/match`));
    await marts.exportNow();
    expect(
      (await marts.ask('late')).map(({ video_id, face_id, speaker_id_after, stands }) => [
        video_id,
        face_id,
        speaker_id_after,
        stands,
      ]),
    ).to.deep.equal([
      [media.videoId, '1', '2', false],
      [media.videoId, '3', '3', true],
      [ignored.videoId, null, null, null],
    ]);
  });

  it('list the names of faces, the decisions that stand, and the shares of tagged videos', async () => {
    const { owner } = api();
    const media = await createMedia(api());
    await expectOk(owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Eve' }] }));
    await expectOk(owner.put(`/v1/videos/${media.videoId}/faces/names`, [{ face_id: 1, name: 'Max' }]));
    const decisions = [
      { speaker_id: 2, face_id: 3, verdict: 'rejected' },
      { speaker_id: 3, face_id: null, verdict: 'confirmed' },
    ];
    await expectOk(owner.post(`${media.match}/decisions`, { decisions }));
    const other = await createMedia(api(), { faces: [{ id: 1 }] });
    const tags = [{ key: 'label.series', value: 'talks' }];
    for (const { video } of [media, other]) await expectOk(owner.post(`${video}/tags`, { tags }));

    await marts.exportNow();
    const ofVideo = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
      rows.filter(({ video_id }) => video_id === media.videoId);
    const names = ofVideo(await marts.ask('names')).filter(({ face_id }) => face_id === '1');
    expect(names.map((row) => [row['name_before'], row['name_after'], row['account_id']])).to.deep.equal([
      [null, 'Face 1', 'worker'],
      ['Face 1', 'Eve', 'owner'],
      ['Eve', 'Max', 'owner'],
    ]);
    const decided = ofVideo(await marts.ask('decisions'));
    expect(
      decided.map((row) => [row['speaker_id'], row['name'], row['face_id'], row['verdict'], row['account_id']]),
    ).to.deep.equal([
      ['1', 'Eve', '1', 'confirmed', 'owner'],
      ['2', 'Alan Turing', '3', 'rejected', 'owner'],
      ['3', null, null, 'confirmed', 'owner'],
    ]);
    const [tagged] = await marts.ask('tags');
    expect(tagged).to.deep.equal({ key: 'label.series', value: '"talks"', videos: '2', share_matched: 1 / 4 });
  });

  it('tell what inferences found and cost, and what accounts spent and may do', async () => {
    const { owner, admin } = api();
    await grant(api(), 'owner', 100);
    const targets = { target_speaker_ids: [1, 2, 3] };
    const [media, gone] = [await createRecording(api()), await createRecording(api())];
    const suggested = await expectOk(owner.post(suggestPath(media), targets));
    const committed = await expectOk(owner.post(commitPath(media), { target_speaker_ids: [1] }));
    const erased = await expectOk(owner.post(suggestPath(gone), targets));
    await expectOk(owner.delete(gone.audio));
    const keys = '/v1/accounts/owner/keys';
    const issue = async (label: string) =>
      bodyOf(t.type({ key_id: t.string }), await admin.post(keys, { label, permissions: ['WORKER'] })).key_id;
    const [kept, revoked] = [await issue('server'), await issue('old server')];
    await expectOk(admin.delete(`${keys}/${revoked}`));

    await marts.exportNow();
    const entries = await ledgerOf(owner);
    const chargeOf = (answer: HttpAnswer) => -(entries.find(({ run_id }) => run_id === runIdOf(answer))?.amount ?? 0);
    const named = (answer: HttpAnswer, mode: string) =>
      rowsOf(answer).map(({ speaker_id, name = null }) => [
        runIdOf(answer),
        mode,
        chargeOf(answer),
        String(speaker_id),
        name,
      ]);
    const inferred = (await marts.ask('inferences')).map((row) =>
      ['run_id', 'mode', 'amount', 'speaker_id', 'name'].map((column) => row[column]),
    );
    expect(inferred).to.deep.equal([
      ...named(suggested, 'suggest'),
      ...named(committed, 'commit'),
      [runIdOf(erased), null, chargeOf(erased), null, null],
    ]);

    const { groups } = bodyOf(Groups, await owner.get('/v1/accounts/owner/usage?group_by=day'));
    const spent = (await marts.ask('spent')).map((row) => [String(row['day']).slice(0, 10), Number(row['spent'])]);
    expect(spent).to.deep.equal(groups.map(({ day, amount }) => [day, amount]));
    const [ledger] = await marts.ask('ledgers');
    expect(ledger).to.deep.include({ account_id: 'owner', entries: String(entries.length), wrong: '0' });
    expect(Number(ledger?.['balance'])).to.equal(entries[0]?.balance_after);
    const live = (await marts.ask('keys')).filter(({ account_id }) => account_id === 'owner');
    expect(live).to.containSubset([{ key_id: kept, label: 'server', admin: false, permissions: 'WORKER' }]);
    expect(live.map(({ key_id }) => key_id)).not.to.include(revoked);
  });
});
