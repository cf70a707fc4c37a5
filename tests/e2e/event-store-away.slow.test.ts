import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { MediaAnalysis } from '../../adapters/client/index.js';
import { refusal } from '../../adapters/eventstoredb-endpoint/errors.js';
import { spawnCommand, startCommand } from '../support/e2e/command.js';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { caFile, credentials, startTestServer, tlsPair } from '../support/event-store/eventstoredb-server.js';
import { useFolder } from '../support/event-store/stores.js';
import { type HttpAnswer, httpClient } from '../support/http-client.js';
import { adminKey, startServiceInProcess } from '../support/service-process.js';
import { startVaultServer } from '../support/vault/vault-server.js';

/** Repeats the request until it has the wanted status; limited by the test's timeout. */
const until = async (ask: () => Promise<HttpAnswer>, status: number): Promise<HttpAnswer> => {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    await setTimeout(50);
  }
};

describe('a service whose event store becomes unavailable', function () {
  this.timeout(60_000);

  it('answers 503 after the server was killed under load, and has all acknowledged events after its restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-away-'));
    const file = join(folder, 'events.db');
    let server = await startServerProcess({ file });
    const service = await startServiceInProcess(folder, { EVENT_STORE: `${server.url}&defaultDeadline=1000` });
    const client = httpClient(service.url, adminKey);
    const registered = (id: string) => () => client.post('/v2/videos', { video_id: id });
    const expectLater = ({ status, headers, body }: HttpAnswer): void => {
      expect(status).to.equal(503);
      expect(Number(headers.get('Retry-After'))).to.be.at.least(1);
      expect(body).to.have.property('detail');
    };
    const acknowledged: string[] = [];
    const end = new AbortController();
    const load = Array.from({ length: 8 }, async (_, number) => {
      for (let turn = 0; !end.signal.aborted; turn += 1) {
        const id = `load-${number}-${turn}`;
        const answer = await registered(id)();
        if (answer.status === 200) acknowledged.push(id);
        else {
          expectLater(answer);
          await setTimeout(20);
        }
      }
    });
    while (acknowledged.length <= 8) await setTimeout(20);
    await server.kill();
    await until(() => client.get('/readyz'), 503);
    expectLater(await until(registered('refused'), 503));
    server = await startServerProcess({ file, port: server.port });
    await until(() => client.get('/readyz'), 200);
    await setTimeout(300);
    end.abort();
    await Promise.all(load);
    await until(() => client.get('/readyz'), 200);
    const { videos } = new MediaAnalysis({ baseUrl: service.url, apiKey: adminKey });
    await videos.create({ video_id: 'after' });
    const ids = (await videos.list().toArray()).map(({ video_id }) => video_id);
    expect(ids).to.include.members(['after', ...acknowledged]);
    expect(new Set(ids).size).to.equal(ids.length);
    await service.stop();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });
});

describe('a service that starts before its event store', function () {
  this.timeout(60_000);

  it('reports that it is not ready and why, and works once the store is available', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-early-'));
    const first = await startServerProcess({ file: join(folder, 'events.db') });
    await first.kill();
    const EVENT_STORE = `${first.url}&defaultDeadline=1000`;
    const service = startCommand(['serve'], { DATA_DIR: folder, PORT: '0', EVENT_STORE, ADMIN_API_KEY: adminKey });
    const [url = ''] = /http\S+/.exec(await service.prints(/Serving on \S+/)) ?? [];
    const client = httpClient(url, adminKey);
    const { status, text } = await client.get('/readyz');
    expect(status).to.equal(503);
    expect(text)
      .to.match(/the event store cannot be reached at \S+:\d+.*ECONNREFUSED/)
      .and.not.include('object Object');
    const server = await startServerProcess({ file: join(folder, 'events.db'), port: first.port });
    await until(() => client.post('/v2/videos', { video_id: 'early' }), 200);
    service.signal('SIGTERM');
    await service.ended;
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });
});

describe('a service whose connection string is wrong', function () {
  this.timeout(60_000);
  const folder = useFolder();
  let started = 0;

  const serve = (EVENT_STORE: string, start = startCommand) => {
    const DATA_DIR = join(folder(), String((started += 1)));
    return start(['serve'], { EVENT_STORE, DATA_DIR, HOST: '127.0.0.1', PORT: '0' });
  };

  it('exits with 1, and says what is wrong and what to do', async () => {
    const encrypted = await startTestServer({ tls: tlsPair('valid'), credentials });
    const [plain, denying] = [await startTestServer(), await startTestServer()];
    denying.faults.refuse = () => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
    for (const [url, words] of [
      [encrypted.url.replace('changeit', 'guessed'), /refuses the credentials of the user "admin".*EVENT_STORE/s],
      [`esdb://localhost:${encrypted.port}?tls=false`, /uses TLS: remove tls=false/],
      [`esdb://admin:changeit@localhost:${plain.port}?tlsCAFile=${caFile}`, /does not use TLS: set tls=false/],
      [denying.url, /does not let .* read the whole log/],
    ] as const) {
      const { code, out, err } = await serve(url).ended;
      expect(code, `${url}: ${out}${err}`).to.equal(1);
      expect(err, url)
        .to.match(words)
        .and.not.match(/object Object|changeit|guessed/);
    }
    await Promise.all([denying, encrypted, plain].map(({ stop }) => stop()));
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
      const isWarned = [ready, err].map((text) => /KEY_VAULT_URL is not set/.test(text));
      expect(isWarned, KEY_VAULT_URL).to.deep.equal([KEY_VAULT_URL === '', KEY_VAULT_URL === '']);
    }
    await vault.close();
    await server.stop();
  });

  it('warns of a server version with a known fault', async () => {
    const server = await startTestServer({ version: '24.6' });
    const service = serve(server.url, spawnCommand);
    const [url = ''] = /http\S+/.exec(await service.prints(/Serving on \S+/)) ?? [];
    while (!/EventStoreDB 24\.6\.0/.test(await (await fetch(`${url}/readyz`)).text())) await setTimeout(20);
    service.signal('SIGTERM');
    expect((await service.ended).err).to.match(/24\.6\.0.*upgrade the server/);
    await server.stop();
  });
});
