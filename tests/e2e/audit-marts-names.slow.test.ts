import { expect } from 'chai';
import * as t from 'io-ts';
import { eventStoreOf } from '../support/engine.js';
import { runCommand } from '../support/e2e/command.js';
import { useMarts } from '../support/e2e/marts.js';
import { createMedia, expectOk, getVideo } from '../support/e2e/media.js';
import { commitPath, createRecording, grant, rowsOf, suggestPath } from '../support/e2e/naming.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const runIdOf = ({ headers }: HttpAnswer): string => headers.get('X-Run-Id') ?? '';

describe('the example queries on marts of names, decisions, accounts and tags', function () {
  this.timeout(60_000);
  const api = useTestApi();
  const marts = useMarts(api);

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
    const names = await marts.ask('names');
    expect(
      names
        .filter(({ video_id, face_id }) => video_id === media.videoId && face_id === '1')
        .map(({ name_before, name_after, account_id }) => [name_before, name_after, account_id]),
    ).to.deep.equal([
      [null, 'Face 1', 'worker'],
      ['Face 1', 'Eve', 'owner'],
      ['Eve', 'Max', 'owner'],
    ]);
    const Standing = t.type({
      decisions: t.array(
        t.type({ at: t.string, speaker_id: t.number, face_id: t.unknown, verdict: t.string, by: t.string }),
      ),
    });
    const standing = bodyOf(Standing, await owner.get(`${media.match}/decisions`)).decisions;
    expect(standing).to.have.length(3);
    const decided = (await marts.ask('decisions')).filter(({ video_id }) => video_id === media.videoId);
    expect(decided.map(({ recorded_at: _at, ...rest }) => rest)).to.deep.equal(
      standing.map(({ speaker_id, face_id, verdict, by }) => ({
        video_id: media.videoId,
        speaker_id: String(speaker_id),
        name: ['Eve', 'Alan Turing', null][speaker_id - 1],
        face_id: face_id === null ? null : String(Number(face_id)),
        verdict,
        account_id: by,
      })),
    );
    const matchedFaces = (await getVideo(api(), media)).faces.filter(({ speaker_id }) => speaker_id !== null).length;
    expect(await marts.ask('tags')).to.deep.equal([
      { key: 'label.series', value: '"talks"', videos: '2', share_matched: matchedFaces / 4 },
    ]);
  });

  it('tell what inferences found and cost, and what accounts spent and may do', async () => {
    const { owner, admin } = api();
    await grant(api(), 'owner', 100);
    const media = await createRecording(api());
    const targets = { target_speaker_ids: [1, 2, 3] };
    const suggested = await expectOk(owner.post(suggestPath(media), targets));
    const committed = await expectOk(owner.post(commitPath(media), { target_speaker_ids: [1] }));
    const gone = await createRecording(api());
    const erased = await expectOk(owner.post(suggestPath(gone), targets));
    await expectOk(owner.delete(gone.audio));
    const correction = { amount: -0.5, reason: 'a slip' };
    await expectOk(admin.post('/v1/accounts/owner/credits', correction));

    await marts.exportNow();
    const Ledger = t.type({
      entries: t.array(t.type({ kind: t.string, amount: t.number, balance_after: t.number, run_id: t.unknown })),
    });
    const { entries } = bodyOf(Ledger, await owner.get('/v1/accounts/owner/ledger'));
    const chargeOf = (answer: HttpAnswer) => -(entries.find(({ run_id }) => run_id === runIdOf(answer))?.amount ?? 0);
    const inferred = await marts.ask('inferences');
    expect(inferred.map(({ recorded_at: _at, ...row }) => row)).to.deep.equal([
      ...[suggested, committed].flatMap((answer, index) =>
        rowsOf(answer).map(({ speaker_id, name = null, quote = null, reason = null }) => ({
          run_id: runIdOf(answer),
          mode: ['suggest', 'commit'][index],
          outcome: 'completed',
          model: answer.headers.get('X-Model'),
          amount: chargeOf(answer),
          speaker_id: String(speaker_id),
          name,
          quote,
          reason,
        })),
      ),
      {
        run_id: runIdOf(erased),
        mode: null,
        outcome: 'erased',
        model: null,
        amount: chargeOf(erased),
        speaker_id: null,
        name: null,
        quote: null,
        reason: null,
      },
    ]);
    expect(inferred[0]).to.include({ name: 'Ada Lovelace' });
    expect(chargeOf(committed)).to.be.greaterThan(1);

    const { dataDir } = api().world;
    const where = { DATA_DIR: dataDir, EVENT_STORE: await eventStoreOf(dataDir) };
    const shown = (await runCommand(['audit', 'show', `nameInference-${runIdOf(suggested)}`], where)).out;
    expect(shown).to.match(/NameInferenceRequested .*\n.*\n {4}\+ .*"target_speaker_ids":\[1,2,3\]/);
    expect(shown)
      .to.match(/NameInferenceAnswered /)
      .and.to.include(`    + amount: "${chargeOf(suggested)}"\n`);
    rowsOf(suggested).forEach((row, index) =>
      expect(shown).to.include(`    + results[${index}]: ${JSON.stringify(row)}`),
    );

    const Usage = t.type({ groups: t.array(t.type({ day: t.string, amount: t.number })) });
    const { groups } = bodyOf(Usage, await owner.get('/v1/accounts/owner/usage?group_by=day'));
    expect(
      (await marts.ask('spent')).map(({ account_id, day, spent }) => [
        account_id,
        String(day).slice(0, 10),
        Number(spent),
      ]),
    ).to.deep.equal(groups.map(({ day, amount }) => ['owner', day, amount]));
    const [ledger] = await marts.ask('ledgers');
    expect(ledger).to.deep.include({ account_id: 'owner', entries: '5', wrong: '0' });
    expect(Number(ledger?.['balance'])).to.equal(entries[0]?.balance_after);

    const Keys = t.type({ keys: t.array(t.type({ key_id: t.string, revoked_at: t.unknown })) });
    const extra = bodyOf(
      t.type({ key_id: t.string }),
      await expectOk(
        admin.post('/v1/accounts/owner/keys', { label: 'server', permissions: ['WORKER', 'MEDIA_WRITE'] }),
      ),
    );
    const revoked = bodyOf(t.type({ key_id: t.string }), await expectOk(admin.post('/v1/accounts/owner/keys', {})));
    await expectOk(admin.delete(`/v1/accounts/owner/keys/${revoked.key_id}`));
    await marts.exportNow();
    const live = (await marts.ask('keys')).filter(({ account_id }) => account_id === 'owner');
    const listed = bodyOf(Keys, await admin.get('/v1/accounts/owner/keys')).keys;
    expect(live.map(({ key_id }) => key_id)).to.have.members(
      listed.filter(({ revoked_at }) => revoked_at === null).map(({ key_id }) => key_id),
    );
    expect(live.find(({ key_id }) => key_id === extra.key_id)).to.include({ label: 'server', admin: false });
    expect(String(live.find(({ key_id }) => key_id === extra.key_id)?.['permissions']).split(',')).to.have.members([
      'WORKER',
      'MEDIA_WRITE',
    ]);
    expect(live.map(({ key_id }) => key_id)).not.to.include(revoked.key_id);
  });
});
