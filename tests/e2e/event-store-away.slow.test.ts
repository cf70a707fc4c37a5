import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { type ServerProcess, startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { type HttpAnswer, type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { type ServiceInProcess, adminKey, startServiceInProcess } from '../support/service-process.js';

/** Repeats the request until it has the wanted status; limited by the test's timeout. */
const until = async (ask: () => Promise<HttpAnswer>, status: number): Promise<HttpAnswer> => {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    await setTimeout(50);
  }
};

const Videos = t.type({
  videos: t.array(t.type({ video_id: t.string })),
  next_cursor: t.union([t.string, t.null]),
});

describe('a service whose event store becomes unavailable', function () {
  this.timeout(60_000);
  let folder: string;
  let server: ServerProcess;
  let service: ServiceInProcess;
  let client: HttpClient;
  const file = (): string => join(folder, 'events.db');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-away-'));
    server = await startServerProcess({ file: file() });
    const env = { EVENT_STORE: `${server.url}&defaultDeadline=1000` };
    service = await startServiceInProcess(folder, env);
    client = httpClient(service.url, adminKey);
    await client.post('/v2/videos', { video_id: 'before' });
  });
  afterEach(async () => {
    await service.stop();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const registered = (id: string) => () => client.post('/v2/videos', { video_id: id });
  const expectLater = ({ status, headers, body }: HttpAnswer): void => {
    expect(status).to.equal(503);
    expect(Number(headers.get('Retry-After'))).to.be.at.least(1);
    expect(body).to.have.property('detail');
  };
  const listed = async (position: string, cursor: string | null = null): Promise<ReadonlyArray<string>> => {
    const next = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await client.get(`/v2/videos?limit=100${next}`, { 'X-Min-Position': position });
    const { videos, next_cursor } = bodyOf(Videos, page);
    const ids = videos.map(({ video_id }) => video_id);
    return next_cursor === null ? ids : [...ids, ...(await listed(position, next_cursor))];
  };
  /** Checks that everything acknowledged is stored once, without a restart. */
  const expectRecovered = async (acknowledged: ReadonlyArray<string>): Promise<void> => {
    await until(() => client.get('/readyz'), 200);
    const after = await until(registered('after'), 200);
    const ids = await listed(after.headers.get('X-Event-Position') ?? '');
    expect(ids).to.include.members(['before', 'after', ...acknowledged]);
    expect(new Set(ids).size).to.equal(ids.length);
  };

  it('answers 503 while the server is frozen, and works again afterwards', async () => {
    server.freeze();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => registered(`frozen-${index}`)()));
    answers.forEach(expectLater);
    expect(await client.get('/readyz')).to.have.property('status', 503);
    expectLater(await registered('later')());
    server.thaw();
    await expectRecovered([]);
  });

  it('answers 503 after the server was killed under load, and has all acknowledged events after its restart', async () => {
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
    server = await startServerProcess({ file: file(), port: server.port });
    await until(() => client.get('/readyz'), 200);
    await setTimeout(300);
    end.abort();
    await Promise.all(load);
    expect(acknowledged.length).to.be.greaterThan(8);
    await expectRecovered(acknowledged);
  });
});

describe('a service that starts before its event store', function () {
  this.timeout(60_000);

  it('reports that it is not ready, answers 503, and works once the store is available', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-early-'));
    const first = await startServerProcess({ file: join(folder, 'events.db') });
    await first.kill();
    const starting = startServiceInProcess(folder, { EVENT_STORE: `${first.url}&defaultDeadline=1000` });
    await setTimeout(3_000);
    const server = await startServerProcess({ file: join(folder, 'events.db'), port: first.port });
    const service = await starting;
    const answer = await httpClient(service.url, adminKey).post('/v2/videos', { video_id: 'early' });
    expect(answer.status).to.equal(200);
    await service.stop();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });
});
