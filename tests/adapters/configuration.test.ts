import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readConfig } from '../../adapters/config/config.js';
import { dataFolderFault } from '../../adapters/config/tls-files.js';
import { runCommand } from '../support/e2e/command.js';
import { useFolder } from '../support/event-store/stores.js';

describe('the configuration', () => {
  const folder = useFolder();
  const file = () => join(folder(), 'file');
  before(() => writeFileSync(file(), ''));

  it('accepts only an administrator key that any client can send', () => {
    for (const key of ['a', 'mak_0123', 'a+b/c=', 'chosen'])
      expect(E.isRight(readConfig({ ADMIN_API_KEY: key })), key).to.equal(true);
    for (const key of [' a', 'a ', 'a b', 'schlüssel', '€', 'a\tb', 'a\nb'])
      expect(readConfig({ ADMIN_API_KEY: key }), JSON.stringify(key)).to.deep.equal(
        E.left(['ADMIN_API_KEY must be a key of printable ASCII characters without spaces']),
      );
  });

  it('accepts a data folder that exists or can be created, and creates nothing', () => {
    const below = join(folder(), 'a', 'b');
    expect([dataFolderFault(folder()), dataFolderFault(below)]).to.deep.equal([null, null]);
    expect(existsSync(join(folder(), 'a'))).to.equal(false);
    expect(dataFolderFault(file())).to.include(`${file()} is not a folder`);
    expect(dataFolderFault(join(file(), 'data'))).to.match(/not a folder/);
  });

  it('is refused with all faults at once, and exit code 2', async () => {
    const invalid = {
      DATA_DIR: file(),
      PORT: '70000',
      HOST: 'no such host',
      LOG_LEVEL: 'loud',
      MATCH_STALE_SECONDS: '0',
      MATCH_WORKER: 'on',
      EVENT_STORE: 'postgres',
      REALTIME_MAX_SESSIONS: '-1',
      REALTIME_MAX_SESSIONS_PER_ACCOUNT: '0',
      PRICE_REALTIME_PER_MINUTE: '0.0000001',
      REALTIME_METER_SECONDS: '0',
      REALTIME_ALLOWED_ORIGINS: 'https://app.example/path',
      REALTIME_ENGINE_URL: 'engine',
    };
    const { code, out, err } = await runCommand(['serve'], { ...invalid, TURN_URLS: 'turn:relay.example' });
    expect([code, out]).to.deep.equal([2, '']);
    for (const name of Object.keys(invalid)) expect(err).to.include(`  ${name} must be`);
    expect(err).to.include('TURN_SECRET');
    expect(err).not.to.match(/\n\s+at /);
  });

  it('names the files of a certificate and its key that are missing or none', async () => {
    const serve = async (cert: string, key: string) =>
      runCommand(['serve'], {
        DATA_DIR: file(),
        EVENTSTORE_PORT: '0',
        EVENTSTORE_INSECURE: 'true',
        EVENTSTORE_TLS_CERT: cert,
        EVENTSTORE_TLS_KEY: key,
      });
    const missing = await serve(join(folder(), 'none'), folder());
    expect(missing.code).to.equal(2);
    expect(missing.err)
      .to.include('DATA_DIR must be')
      .and.to.include(`must be a certificate and its key in PEM form: ${join(folder(), 'none')} and`)
      .and.to.include('no such file');
    const none = await serve(file(), file());
    expect(none.code).to.equal(2);
    expect(none.err).to.include('EVENTSTORE_TLS_CERT and EVENTSTORE_TLS_KEY must be a certificate and its key');
  });

  it('needs a new secret of 16 characters to rotate a secret that is not in the data folder', async () => {
    const env = { DATA_DIR: folder(), KEY_VAULT_SECRET: 'present-secret-1' };
    for (const next of [{}, { KEY_VAULT_NEW_SECRET: 'short' }]) {
      const { code, err } = await runCommand(['vault', 'rotate'], { ...env, ...next });
      expect(code).to.equal(2);
      expect(err).to.include('KEY_VAULT_NEW_SECRET must be a secret of 16 characters or more');
    }
  });
});

describe('a command that calls the service', () => {
  it('has exit code 2 if the environment names no service', async () => {
    const show = ['credits', 'show', 'admin', '--key', 'k'];
    for (const [env, url] of [
      [{ MEDIA_ANALYSIS_URL: 'foo' }, 'foo'],
      [{ PORT: '65536' }, 'http://127.0.0.1:65536'],
    ] as const) {
      const err = `error: ${url} is not an http address: give --url, or set MEDIA_ANALYSIS_URL or PORT\n`;
      expect(await runCommand(show, env)).to.deep.equal({ code: 2, out: '', err });
    }
    expect((await runCommand(['credits', '--help'], { PORT: 'abc' })).code).to.equal(0);
  });
});
