import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openKeyVault } from '../../adapters/composition/vault-service.js';
import { defaults } from '../../adapters/config/config.js';
import { httpVault } from '../../adapters/key-vault/http-vault.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { type Command, startCommand } from '../support/e2e/command.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { vaultContract } from '../support/vault/vault-contract.js';

const token = 'a-token-of-the-tests';

describe('media-analysis vault serve', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const places = { service: '', vault: '' };
  const settings = () => ({ DATA_DIR: places.vault, HOST: '127.0.0.1', PORT: '0', KEY_VAULT_TOKEN: token });
  let command: Command;
  let url = '';
  let vault: KeyVault;
  let moved: unknown = null;

  before(async () => {
    folder = await temporaryFolder();
    places.service = join(folder.path, 'service');
    places.vault = join(folder.path, 'vault');
    await Promise.all(Object.values(places).map((path) => mkdir(path)));
    const own = openKeyVault({ data_dir: places.service, key_vault: defaults.key_vault });
    moved = await succeeded(own.make('video-moved:1'));
    await succeeded(own.erase('video-gone:1'));
    own.close();
    for (const file of ['keys.db', 'keys.secret']) await copyFile(join(places.service, file), join(places.vault, file));
    command = startCommand(['vault', 'serve'], settings());
    [url = ''] = /http\S+/.exec(await command.prints(/Serving the key vault on \S+/)) ?? [];
    vault = httpVault({ url, token });
  });
  after(async () => {
    command.signal('SIGTERM');
    expect((await command.ended).code).to.equal(0);
    await folder.remove();
  });

  vaultContract(() => vault);

  it('has the keys and the erasures of the keys.db that was moved to it', async () => {
    expect(await succeeded(vault.make('video-moved:1'))).to.deep.equal(moved);
    expect(await succeeded(vault.make('video-gone:1'))).to.equal('erased');
    await succeeded(vault.check());
  });

  it('answers nobody without its token, and no other requests', async () => {
    const statusOf = async (method: string, path: string, given = token): Promise<number> =>
      (await fetch(`${url}${path}`, { method, headers: { Authorization: `Bearer ${given}` } })).status;
    expect(await statusOf('GET', '/keys/video-moved%3A1')).to.equal(200);
    expect(await statusOf('GET', '/keys/video-moved%3A1', 'another-token-of-tests')).to.equal(401);
    expect((await fetch(`${url}/keys/video-moved%3A1`)).status).to.equal(401);
    expect(await statusOf('POST', '/keys/video-moved%3A1')).to.equal(405);
    for (const path of ['/', '/keys/', '/keys/%zz', '/keys/a/b'])
      expect(await statusOf('PUT', path), path).to.equal(404);
  });

  it('refuses a folder in use, and the rotation of its keys', async () => {
    const second = await startCommand(['vault', 'serve'], settings()).ended;
    expect([second.code, second.err]).to.deep.equal([1, `error: a service or a vault is running on ${places.vault}\n`]);
    const rotation = await startCommand(['vault', 'rotate'], { DATA_DIR: places.vault }).ended;
    expect(rotation.code).to.equal(1);
    expect(rotation.err).to.include('stop it first');
  });

  it('exits with 2 without a token, or with the address of another vault', async () => {
    const { code, err } = await startCommand(['vault', 'serve'], {
      ...settings(),
      KEY_VAULT_TOKEN: 'short',
      KEY_VAULT_URL: 'http://127.0.0.1:1',
    }).ended;
    expect(code).to.equal(2);
    expect(err).to.include('KEY_VAULT_TOKEN must be').and.include('KEY_VAULT_URL must not be set');
  });
});
