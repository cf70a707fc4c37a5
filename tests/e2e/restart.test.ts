import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getEverything } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { triggerCommit, matched, triggerSuggest, runSuggest, writeBack } from '../support/e2e/runs.js';

describe('a restart', () => {
  const api = useTestApi();

  it('keeps accounts, keys and everything that was acknowledged, also if the read models are rebuilt', async () => {
    const { world, owner, admin, stranger } = api();
    const media = await createMedia(api());
    await runSuggest(api(), media, matched(1, 1));
    await expectOk(owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2, name: 'Alan' }] }));
    const run_id = await triggerCommit(api(), media);
    await expectOk(writeBack(api(), media, { matches: [matched(3, 3)] }));
    await expectOk(writeBack(api(), media, { run_id, matches: [matched(3, 1)] }));
    const { text } = await expectOk(admin.get('/v1/accounts/stranger/keys'));
    await expectOk(admin.delete(`/v1/accounts/stranger/keys/${/"key_id":"([^"]+)"/.exec(text)?.[1]}`));
    const open = await createMedia(api());
    await triggerSuggest(api(), open);
    const answers = async () => [
      await getEverything(api(), media),
      (await expectOk(owner.get(media.statuses))).body,
      (await expectOk(owner.get(media.suggestions))).body,
      (await expectOk(owner.get('/v2/videos'))).body,
      (await expectOk(admin.get('/v2/audios'))).body,
      (await expectOk(admin.get('/v1/accounts/stranger/keys'))).body,
    ];
    const before = await answers();
    const readModels = ['', '-wal', '-shm'].map((suffix) => join(world.dataDir, `read-models.db${suffix}`));
    for (const files of [[], readModels]) {
      await world.restart(async () => {
        for (const file of files) await rm(file, { force: true });
      });
      expect(await answers()).to.deep.equal(before);
    }
    expectText(await stranger.get(media.video), 401);
    expectCode(await owner.post(open.suggestions, {}), 409, 'match_run_in_flight');
    expectCode(await admin.post('/v1/accounts', { account_id: 'owner' }), 409, 'account_exists');
  });
});
