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

  it('stores nothing while the vault is unreachable or answers incorrectly, reports that, and works afterwards', async () => {
    vault.setMode('wrong_key');
    const refused = await api.owner.post('/v2/videos', { video_id: 'later', title: 'Unstored Persimmon' });
    expect(refused.status).to.equal(503);
    expect(refused.body).to.have.nested.property('detail.code', 'key_vault_unavailable');
    expect(refused.headers.get('Retry-After')).to.equal('5');
    const ready = await api.anonymous.get('/readyz');
    expect(ready.status).to.equal(503);
    expect(await foundIn(api.world.dataDir, ['Unstored Persimmon'])).to.deep.equal([]);
    vault.setMode('normal');
    await expectOk(api.owner.post('/v2/videos', { video_id: 'later' }));
    expect((await api.anonymous.get('/readyz')).status).to.equal(200);
  });

  const untilDestroyed = async (name: string): Promise<void> => {
    while (vault.keys.get(name) !== 'erased') await new Promise((resolve) => setTimeout(resolve, 50));
  };

  it('erases nothing while the vault is unreachable or answers incorrectly, and erases afterwards', async () => {
    const media = await createMedia(api);
    for (const path of [media.video, media.audio]) {
      const before = (await api.owner.get(`${path}/history`)).text;
      for (const mode of ['unreachable', 'wrong_key'] as const) {
        vault.setMode(mode);
        const refused = await api.owner.delete(path);
        expectCode(refused, 503, 'key_vault_unavailable');
        expect(refused.headers.get('X-Event-Position')).to.equal(null);
      }
      vault.setMode('normal');
      expect((await api.owner.get(`${path}/history`)).text).to.equal(before);
    }
    await expectOk(api.owner.delete(media.audio));
    expect(vault.keys.get(`audio-${media.audioId}:1`)).to.equal('erased');
    expectCode(await api.owner.get(media.audio), 410, 'erased');
    await expectOk(api.owner.delete(media.video));
  });

  it('destroys a key at the next start if the vault did not do it before', async () => {
    const media = await createMedia(api);
    vault.setMode('keeps_keys');
    await expectOk(api.owner.delete(media.video));
    await api.world.restart(async () => vault.setMode('normal'));
    await untilDestroyed(`video-${media.videoId}:1`);
  });

  it('starts while the vault is unreachable, and works once it can be reached', async () => {
    const media = await createMedia(api);
    await api.world.restart(async () => {
      vault.setMode('wrong_key');
      setTimeout(() => vault.setMode('normal'), 1_500);
    });
    for (let status = 503; status !== 200; status = (await api.owner.get(media.video)).status)
      expect(status).to.equal(503);
  });

  it('serves the other media if the key of one is missing', async () => {
    const [lost, kept] = [await createMedia(api), await createMedia(api)];
    await api.world.restart(async () => void vault.keys.delete(`video-${lost.videoId}:1`));
    const refused = await api.owner.get(lost.video);
    expect(refused.status).to.equal(503);
    const { text: ready } = await expectOk(api.owner.get('/readyz'));
    expect(ready).to.match(/"warnings":\["data .* cannot be read because keys are missing: restore /);
    expect(ready).not.to.include(lost.videoId);
    expect(refused.body).to.have.nested.property('detail.code', 'key_missing');
    await expectOk(api.owner.get(kept.video));
    expect(vault.keys.has(`video-${lost.videoId}:1`)).to.equal(false);
  });

  it('serves a medium again once its key is restored, also in lists and queries', async () => {
    const media = await createMedia(api);
    const before = (await expectOk(api.owner.get(media.video))).text;
    const name = `video-${media.videoId}:1`;
    const key = vault.keys.get(name) ?? '';
    const isListed = async () => (await api.owner.get('/v2/videos')).text.includes(`"${media.videoId}"`);
    await api.world.restart(async () => {
      vault.keys.delete(name);
      for (const rest of ['', '-wal', '-shm'])
        await rm(join(api.world.dataDir, `read-models.db${rest}`), { force: true });
    });
    expect((await api.owner.get(media.video)).status).to.equal(503);
    expect(await isListed()).to.equal(false);
    await api.world.restart(async () => void vault.keys.set(name, key));
    expect((await expectOk(api.owner.get(media.video))).text).to.equal(before);
    while (!(await isListed())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
