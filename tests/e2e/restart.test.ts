import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TestApi, openTestApi } from '../support/e2e/test-api.js';
import { getEverything } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { triggerCommit, matched, triggerSuggest, runSuggest, writeBack } from '../support/e2e/runs.js';

describe('a restart', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await openTestApi();
  });
  afterEach(() => api.world.end());

  const lived = async () => {
    const media = await createMedia(api);
    await runSuggest(api, media, matched(1, 1));
    await expectOk(api.owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2, name: 'Alan' }] }));
    const run_id = await triggerCommit(api, media);
    await expectOk(writeBack(api, media, { matches: [matched(3, 3)] }));
    await expectOk(writeBack(api, media, { run_id, matches: [matched(3, 1)] }));
    await expectOk(writeBack(api, media, { run_id, matches: [] }));
    return media;
  };

  const answersOf = async (media: Awaited<ReturnType<typeof lived>>) => [
    await getEverything(api, media),
    (await expectOk(api.owner.get(media.statuses))).body,
    (await expectOk(api.owner.get(media.suggestions))).body,
    (await expectOk(api.owner.get('/v2/videos'))).body,
    (await expectOk(api.admin.get('/v2/audios'))).body,
    (await expectOk(api.admin.get('/v1/accounts/owner/keys'))).body,
  ];

  it('keeps accounts, keys and everything that was acknowledged, also if the read models are rebuilt', async () => {
    const media = await lived();
    const before = await answersOf(media);
    const readModels = ['', '-wal', '-shm'].map((suffix) => join(api.world.dataDir, `read-models.db${suffix}`));
    for (const files of [[], readModels]) {
      await api.world.restart(async () => {
        for (const file of files) await rm(file, { force: true });
      });
      expect(await answersOf(media)).to.deep.equal(before);
    }
    expectCode(await api.stranger.get(media.video), 401, 'not_authorised');
    expectCode(await api.admin.post('/v1/accounts', { account_id: 'owner' }), 409, 'account_exists');
  });

  it('keeps a run in flight open and revoked keys revoked', async () => {
    const media = await createMedia(api);
    const run_id = await triggerSuggest(api, media);
    await api.world.restart();
    expectCode(await api.owner.post(media.suggestions, {}), 409, 'match_run_in_flight');
    const { body } = await writeBack(api, media, { run_id, matches: [matched(1, 1)] });
    expect(body).to.deep.equal({ status: 'stored', run_id });
    const { text } = await expectOk(api.admin.get('/v1/accounts/owner/keys'));
    await expectOk(api.admin.delete(`/v1/accounts/owner/keys/${/"key_id":"([^"]+)"/.exec(text)?.[1]}`));
    await api.world.restart();
    expectText(await api.owner.get(media.video), 401);
  });
});
