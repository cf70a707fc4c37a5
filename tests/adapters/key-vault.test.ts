import { randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import { openKeyVault, rotateKeys } from '../../adapters/composition/vault-service.js';
import { defaults } from '../../adapters/config/config.js';
import { instanceIn } from '../../adapters/instance/instance.js';
import { embeddedVault } from '../../adapters/key-vault/embedded-vault.js';
import { wrap } from '../../adapters/key-vault/keys-file.js';
import { httpVault } from '../../adapters/key-vault/http-vault.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import { useFolder } from '../support/event-store/temporary-sqlite.js';
import { vaultContract } from '../support/vault/vault-contract.js';
import { type VaultServer, startVaultServer } from '../support/vault/vault-server.js';

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

    it('keeps no copy of an erased key, and is complete in one file', async () => {
      await succeeded(vault.make('video-gone:1'));
      const before = join(folder(), 'copy.db');
      await copyFile(file(), before);
      const copy = embeddedVault(before, secret);
      const key = await succeeded(copy.find('video-gone:1'));
      copy.close();
      expect(key).to.have.length(32);
      const wrapped = (await readFile(before)).toString('latin1').split('video-gone:1')[1]?.slice(0, 60) ?? '';
      await succeeded(vault.erase('video-gone:1'));
      expect((await readFile(file())).toString('latin1').includes(wrapped)).to.equal(false);
    });

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

    it('of an earlier form is refused and stays as it is', () => {
      const earlier = join(folder(), 'earlier.db');
      embeddedVault(earlier, secret).close();
      const db = new Database(earlier);
      db.exec('DROP TABLE keys; CREATE TABLE keys (name TEXT PRIMARY KEY, wrapped BLOB) STRICT, WITHOUT ROWID');
      db.close();
      const before = readFileSync(earlier);
      expect(() => embeddedVault(earlier, secret)).to.throw('it was written by an earlier version of this service');
      expect(readFileSync(earlier).equals(before)).to.equal(true);
    });

    it('makes guessing a chosen secret slow, and opens older files with a generated one', async () => {
      const made = randomBytes(32).toString('base64');
      const saltIn = (db: Database.Database): unknown =>
        db.prepare('SELECT length(salt) FROM wrapping').raw(true).get();
      for (const [name, its, length] of [
        ['made.db', made, 32],
        ['chosen.db', secret, 16],
      ] as const) {
        embeddedVault(join(folder(), name), its).close();
        const db = new Database(join(folder(), name));
        expect(saltIn(db), name).to.deep.equal([length]);
        db.close();
      }
      const older = join(folder(), 'made.db');
      const salt = randomBytes(16);
      const proof = wrap(scryptSync(made, salt, 32), 'proof', Buffer.from('media-analysis key vault'));
      const db = new Database(older);
      db.prepare('UPDATE wrapping SET salt = ?, proof = ?').run(salt, proof);
      db.close();
      const vault = embeddedVault(older, made);
      expect(await succeeded(vault.make('video-a:1'))).to.have.length(32);
      vault.close();
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
      for (const mode of ['silent', 'wrong_key'] as const) {
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
