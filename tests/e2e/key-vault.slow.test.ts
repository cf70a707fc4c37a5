import { setTimeout } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TestApi, openTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { foundIn } from '../support/erasure/bytes.js';
import { type VaultServer, startVaultServer } from '../support/vault/vault-server.js';

describe('a service with a key vault over HTTP', function () {
  this.timeout(120_000);
  let vault: VaultServer;
  let api: TestApi;
  before(async () => {
    vault = await startVaultServer('the-token');
    api = await openTestApi({ key_vault: { url: vault.url, token: 'the-token', secret: null } });
  });
  afterEach(() => vault.setMode('normal'));
  after(async () => {
    await api.world.end();
    await vault.close();
  });

  it('stores and erases nothing while the vault answers incorrectly or not, says so, and works afterwards', async () => {
    const { video, audio, audioId } = await createMedia(api);
    const before = (await api.owner.get(`${video}/history`)).text;
    for (const mode of ['unreachable', 'wrong_key'] as const) {
      vault.setMode(mode);
      for (const refused of [
        await api.owner.post('/v2/videos', { title: 'Unstored Persimmon' }),
        await api.owner.delete(video),
      ]) {
        expectCode(refused, 503, 'key_vault_unavailable');
        expect(refused.headers.get('Retry-After')).to.equal('5');
      }
      expect((await api.anonymous.get('/readyz')).status).to.equal(503);
      vault.setMode('normal');
      expect((await api.owner.get(`${video}/history`)).text).to.equal(before);
    }
    expect(await foundIn(api.world.dataDir, ['Unstored Persimmon'])).to.deep.equal([]);
    expect((await api.anonymous.get('/readyz')).status).to.equal(200);
    await expectOk(api.owner.delete(audio));
    expect(vault.keys.get(`audio-${audioId}:1`)).to.equal('erased');
    expectCode(await api.owner.get(audio), 410, 'erased');
  });

  it('starts while the vault is unreachable, and works once it can be reached', async () => {
    const { video } = await createMedia(api);
    await api.world.restart(async () => vault.setMode('unreachable'));
    for (const path of [video, '/readyz']) expect((await api.owner.get(path)).status, path).to.equal(503);
    vault.setMode('normal');
    while ((await api.owner.get('/readyz')).status !== 200) await setTimeout(50);
    await expectOk(api.owner.get(video));
  });

  it('destroys a key at the next start if the vault did not do it before', async () => {
    const media = await createMedia(api);
    vault.setMode('keeps_keys');
    await expectOk(api.owner.delete(media.video));
    await api.world.restart(async () => vault.setMode('normal'));
    while (vault.keys.get(`video-${media.videoId}:1`) !== 'erased') await setTimeout(50);
  });

  it('serves the other media while the key of one is missing, and that one again once it is restored', async () => {
    const [lost, kept] = [await createMedia(api), await createMedia(api)];
    const before = (await expectOk(api.owner.get(lost.video))).text;
    const name = `video-${lost.videoId}:1`;
    const key = vault.keys.get(name) ?? '';
    const isListed = async () => (await api.owner.get('/v2/videos')).text.includes(`"${lost.videoId}"`);
    await api.world.restart(async () => {
      vault.keys.delete(name);
      for (const rest of ['', '-wal', '-shm'])
        await rm(join(api.world.dataDir, `read-models.db${rest}`), { force: true });
    });
    expectCode(await api.owner.get(lost.video), 503, 'key_missing');
    const { text: ready } = await expectOk(api.owner.get('/readyz'));
    expect(ready).to.match(/"warnings":\["data .* cannot be read because keys are missing: restore /);
    expect(ready).not.to.include(lost.videoId);
    await expectOk(api.owner.get(kept.video));
    expect([vault.keys.has(name), await isListed()]).to.deep.equal([false, false]);
    await api.world.restart(async () => void vault.keys.set(name, key));
    expect((await expectOk(api.owner.get(lost.video))).text).to.equal(before);
    while (!(await isListed())) await setTimeout(50);
  });
});
