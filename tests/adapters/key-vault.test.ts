import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { succeeded, failed, useFolder, temporaryFolder } from '../support/event-store/stores.js';
import { openKeyVault, rotateKeys } from '../../adapters/composition/vault-service.js';
import { defaults } from '../../adapters/config/config.js';
import { instanceIn } from '../../adapters/instance/instance.js';
import { embeddedVault } from '../../adapters/key-vault/embedded-vault.js';
import { httpVault } from '../../adapters/key-vault/http-vault.js';
import { type VaultServer, startVaultServer } from '../support/vault/vault-server.js';
import { type Command, startCommand } from '../support/e2e/command.js';

/** What every key vault does. */
const vaultContract = (open: () => KeyVault): void => {
  it('creates a key once, finds it, and has no others', async () => {
    const vault = open();
    const key = await succeeded(vault.make('video-a:1'));
    expect(key).to.have.length(32);
    expect(await succeeded(vault.make('video-a:1'))).to.deep.equal(key);
    expect(await succeeded(vault.find('video-a:1'))).to.deep.equal(key);
    expect(await succeeded(vault.find('video-b:1'))).to.equal(null);
    const [one, other] = await Promise.all([vault.make('video-c:1')(), vault.make('video-c:1')()]);
    expect(one).to.deep.equal(other);
  });

  it('erases a key for good, even one that never existed, any number of times', async () => {
    const vault = open();
    await succeeded(vault.make('audio-a:1'));
    for (const name of ['audio-a:1', 'audio-a:1', 'audio-never:1']) {
      await succeeded(vault.erase(name));
      expect(await succeeded(vault.find(name))).to.equal('erased');
      expect(await succeeded(vault.make(name))).to.equal('erased');
    }
  });
};

const pairOf = (row: unknown): readonly [string, string] =>
  Array.isArray(row) ? [String(row[0]), String(row[1])] : ['', ''];

const secret = 'a secret of the tests';

describe('the key vault', () => {
  const folder = useFolder();
  const file = () => join(folder(), 'keys.db');

  describe('in a file', () => {
    let vault: KeyVault;
    before(() => {
      vault = embeddedVault(file(), secret);
    });
    after(() => vault.close());
    vaultContract(() => vault);

    it('stores each of thousands of keys once, so that nothing of an erased one remains', async () => {
      const many = join(folder(), 'many.db');
      const vault = embeddedVault(many, secret);
      const names = Array.from(
        { length: 3_000 },
        (_, number) => `video-${(number * 7_919) % 3_000}${'x'.repeat(number % 23)}:1`,
      );
      for (let from = 0; from < names.length; from += 100)
        await Promise.all(names.slice(from, from + 100).map((name) => succeeded(vault.make(name))));
      const db = new Database(many);
      const rows = new Map(db.prepare('SELECT name, hex(wrapped) FROM keys').raw(true).all().map(pairOf));
      db.close();
      const erased = names.filter((_, index) => index % 30 === 0);
      for (const name of erased) await succeeded(vault.erase(name));
      const left = (await readFile(many)).toString('latin1');
      const copiesOf = (name: string): number =>
        left.split(Buffer.from(rows.get(name) ?? '', 'hex').toString('latin1')).length - 1;
      for (const [index, name] of names.entries()) expect(copiesOf(name), name).to.equal(index % 30 === 0 ? 0 : 1);
      vault.close();
    });

    it('makes guessing a chosen secret slow: the length of its salt asks for scrypt', () => {
      const made = randomBytes(32).toString('base64');
      for (const [name, its, length] of [
        ['made.db', made, 32],
        ['chosen.db', secret, 16],
      ] as const) {
        embeddedVault(join(folder(), name), its).close();
        const db = new Database(join(folder(), name));
        expect(db.prepare('SELECT length(salt) FROM wrapping').raw(true).get(), name).to.deep.equal([length]);
        db.close();
      }
    });

    it('cannot be opened with another secret, and refuses files that are not vaults', async () => {
      expect(() => embeddedVault(file(), 'another secret of tests')).to.throw('another secret');
      const other = join(folder(), 'other.db');
      await writeFile(other, 'no database at all, but long enough to be taken for one');
      expect(() => embeddedVault(other, secret)).to.throw(other);
    });
  });

  it('has the same keys after a rewrap, under the new secret only', async () => {
    const data_dir = join(folder(), 'rewrapped');
    await mkdir(data_dir);
    const config = { data_dir, key_vault: defaults.key_vault };
    const first = openKeyVault(config);
    const key = await succeeded(first.make('video-a:1'));
    first.close();
    expect((await stat(join(data_dir, 'keys.secret'))).mode & 0o777).to.equal(0o600);
    const old = (await readFile(join(data_dir, 'keys.secret'), 'utf8')).trim();
    const service = instanceIn(data_dir, randomUUID);
    expect(() => rotateKeys(config, null)).to.throw('a service or a vault is running');
    service.leave();
    expect(rotateKeys(config, null)).to.equal(1);
    expect(() => embeddedVault(join(data_dir, 'keys.db'), old)).to.throw('another secret');
    const second = openKeyVault(config);
    expect(await succeeded(second.find('video-a:1'))).to.deep.equal(key);
    second.close();
    await rm(join(data_dir, 'keys.secret'));
    expect(() => openKeyVault(config)).to.throw('restore');
  });

  describe('over HTTP', () => {
    let server: VaultServer;
    const vault = () => httpVault({ url: server.url, token: 'token', timeout_ms: 200 });
    before(async () => {
      server = await startVaultServer('token');
    });
    after(() => server.close());
    vaultContract(() => vault());

    it('is unavailable while the server is silent, answers incorrectly, or refuses', async () => {
      for (const mode of ['silent', 'wrong_key', 'long'] as const) {
        server.setMode(mode);
        const answers = [await vault().make('video-z:1')(), await vault().find('video-z:1')()];
        expect(answers.map(E.isLeft), mode).to.deep.equal([true, true]);
        server.setMode('normal');
      }
      expect(E.isLeft(await httpVault({ url: server.url, token: 'other' }).make('video-z:1')())).to.equal(true);
      const { reason } = await failed(httpVault({ url: 'http://127.0.0.1:65531', token: null }).erase('video-z:1'));
      expect(reason).to.equal('the key vault cannot be used: connect ECONNREFUSED 127.0.0.1:65531');
      expect(server.keys.has('video-z:1')).to.equal(false);
    });
  });
});

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

  it('refuses a folder in use', async () => {
    const second = await startCommand(['vault', 'serve'], settings()).ended;
    expect([second.code, second.err]).to.deep.equal([1, `error: a service or a vault is running on ${places.vault}\n`]);
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
