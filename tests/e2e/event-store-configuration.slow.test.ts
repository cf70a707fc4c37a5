import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { refusal } from '../../adapters/eventstoredb-endpoint/errors.js';
import { spawnCommand, startCommand } from '../support/e2e/command.js';
import { caFile, credentials, startTestServer, tlsPair } from '../support/event-store/eventstoredb-server.js';
import { useFolder } from '../support/event-store/stores.js';
import { startVaultServer } from '../support/vault/vault-server.js';

describe('a service whose connection string is wrong', function () {
  this.timeout(60_000);
  const folder = useFolder();
  let started = 0;

  const serve = (EVENT_STORE: string, start = startCommand) => {
    const DATA_DIR = join(folder(), String((started += 1)));
    return start(['serve'], { EVENT_STORE, DATA_DIR, HOST: '127.0.0.1', PORT: '0' });
  };

  it('exits with 1, and says what is wrong and what to do', async () => {
    const [encrypted, expired, plain] = await Promise.all([
      startTestServer({ tls: tlsPair('valid'), credentials }),
      startTestServer({ tls: tlsPair('expired'), credentials }),
      startTestServer(),
    ]);
    const denying = await startTestServer();
    denying.faults.refuse = () => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
    const cases: ReadonlyArray<readonly [url: string, words: ReadonlyArray<RegExp>]> = [
      [encrypted.url.replace('changeit', 'guessed'), [/refuses the credentials of the user "admin"/, /EVENT_STORE/]],
      [`esdb://admin:changeit@localhost:${encrypted.port}`, [/not trusted/, /tlsCAFile/, /tlsVerifyCert=false/]],
      [expired.url, [/not trusted \(CERT_HAS_EXPIRED\)/, /tlsCAFile/]],
      [`esdb://localhost:${encrypted.port}?tls=false`, [/uses TLS: remove tls=false/]],
      [`esdb://admin:changeit@localhost:${plain.port}?tlsCAFile=${caFile}`, [/does not use TLS: set tls=false/]],
      [denying.url, [/does not let .* read the whole log/]],
    ];
    const tried = async ([url, words]: (typeof cases)[number]): Promise<void> => {
      const start = performance.now();
      const { code, out, err } = await serve(url).ended;
      expect(code, `${url}: ${out}${err}`).to.equal(1);
      expect(performance.now() - start).to.be.lessThan(10_000);
      words.forEach((word) => expect(err, url).to.match(word));
      expect(out + err, url).to.not.match(/object Object|changeit|guessed|Serving/);
    };
    for (const half of [cases.slice(0, 3), cases.slice(3)]) await Promise.all(half.map(tried));
    await Promise.all([denying, encrypted, expired, plain].map(({ stop }) => stop()));
  });

  it('starts while the server cannot be reached, and reports it in /readyz', async () => {
    const stopped = await startTestServer();
    await stopped.stop();
    const service = serve(stopped.url);
    const [url = ''] = /http\S+/.exec(await service.prints(/Serving on \S+/)) ?? [];
    const answer = await fetch(`${url}/readyz`);
    expect(answer.status).to.equal(503);
    expect(await answer.text())
      .to.include(`the event store cannot be reached at localhost:${stopped.port}`)
      .and.include('ECONNREFUSED')
      .and.not.include('object Object');
    service.signal('SIGTERM');
    expect((await service.ended).code).to.equal(0);
  });

  it('warns that only this instance has the encryption keys of its events, unless a key vault is set', async () => {
    const server = await startTestServer();
    const vault = await startVaultServer();
    for (const KEY_VAULT_URL of ['', vault.url]) {
      const service = serve(server.url, (args, env) => spawnCommand(args, { ...env, KEY_VAULT_URL }));
      const [url = ''] = /http\S+/.exec(await service.prints(/Serving on \S+/)) ?? [];
      const ready = await (await fetch(`${url}/readyz`)).text();
      service.signal('SIGTERM');
      const { err } = await service.ended;
      const [isInReadyz, isLogged] = [ready, err].map((text) => /KEY_VAULT_URL is not set/.test(text));
      expect({ isInReadyz, isLogged }, KEY_VAULT_URL).to.deep.equal({
        isInReadyz: KEY_VAULT_URL === '',
        isLogged: KEY_VAULT_URL === '',
      });
    }
    await vault.close();
    await server.stop();
  });

  it('warns of a server version with a known fault', async () => {
    const server = await startTestServer({ version: '24.6' });
    const service = serve(server.url, spawnCommand);
    const [url = ''] = /http\S+/.exec(await service.prints(/Serving on \S+/)) ?? [];
    const warned = async (): Promise<boolean> =>
      /"warnings":\["EventStoreDB 24\.6\.0/.test(await (await fetch(`${url}/readyz`)).text());
    while (!(await warned())) await setTimeout(20);
    service.signal('SIGTERM');
    expect((await service.ended).err).to.match(/24\.6\.0.*upgrade the server/);
    await server.stop();
  });
});
