import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import eventStoreDb from '@eventstore/db-client';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { type Command, runCommand, startCommand } from '../support/e2e/command.js';
import { connect, recorded, take } from '../support/event-store/use-adapter.js';
import { caFile } from '../support/event-store/eventstoredb-server.js';
import { useFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';

const { START, streamNameFilter } = eventStoreDb;

const keyFile = caFile.replace('cert.pem', 'key.pem');

describe('the log, served to EventStoreDB clients', () => {
  const folder = useFolder(beforeEach, afterEach);
  let service: Command;
  let client: EventStoreDBClient;

  const start = (args: ReadonlyArray<string>, env: Record<string, string>): Command =>
    startCommand(['serve', ...args], { DATA_DIR: join(folder(), 'data'), PORT: '0', ADMIN_API_KEY: 'chosen', ...env });
  const secure = {
    EVENTSTORE_USERNAME: 'analyst',
    EVENTSTORE_PASSWORD: 'secret-of-theirs',
    EVENTSTORE_TLS_CERT: caFile,
    EVENTSTORE_TLS_KEY: keyFile,
  };
  const serve = async (args: ReadonlyArray<string>): Promise<ReturnType<typeof httpClient>> => {
    service = start(args, secure);
    const url = (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
    const [, port] = /on port (\d+)/.exec(await service.prints(/EventStoreDB clients on port \d+/)) ?? [];
    client = connect(`esdb://analyst:secret-of-theirs@localhost:${port}?tlsCAFile=${caFile}`);
    return httpClient(url, 'chosen');
  };
  const stop = async (): Promise<string> => {
    await client.dispose();
    service.signal('SIGTERM');
    const { code, err } = await service.ended;
    expect(code).to.equal(0);
    return err;
  };

  it('can be read and followed', async () => {
    const admin = await serve(['--eventstore-port', '0']);
    const following = take(
      client.subscribeToAll({ fromPosition: START, filter: streamNameFilter({ prefixes: ['video-'] }) }),
      2,
    );
    expect((await admin.post('/v2/videos', { video_id: 'v1' })).status).to.be.lessThan(300);
    expect((await admin.post('/v2/videos', { video_id: 'v2' })).status).to.be.lessThan(300);
    const events = recorded(await following);
    expect(events.map(({ streamId, type }) => [streamId, type])).to.deep.equal([
      ['video-v1', 'VideoRegistered.v2'],
      ['video-v2', 'VideoRegistered.v2'],
    ]);
    expect(events.map(({ data }) => data)).to.containSubset([{ video_id: 'v1' }, { video_id: 'v2' }]);
    expect((await admin.delete('/v2/videos/v1')).status).to.equal(200);
    const shown: unknown[] = [];
    for await (const { event } of client.readStream('video-v1'))
      shown.push([event?.type, event?.data, event?.metadata]);
    expect(shown).to.containSubset([
      ['VideoRegistered.v2', {}, { erased: true }],
      ['MediumErased.v1', { medium: 'video' }, {}],
    ]);
    expect(await stop()).not.to.include('secret-of-theirs');
  });

  it('cannot be copied, verified or sealed there, only read, because it is sent in clear text', async () => {
    service = start(['--eventstore-port', '0'], { EVENTSTORE_INSECURE: 'true' });
    const url = (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
    const [, port] = /on port (\d+)/.exec(await service.prints(/EventStoreDB clients on port \d+/)) ?? [];
    expect((await httpClient(url, 'chosen').post('/v2/videos', { video_id: 'v1' })).status).to.equal(200);
    const endpoint = `esdb://localhost:${port}?tls=false`;
    const copy = join(folder(), 'copy.db');
    for (const args of [
      ['events', 'copy', '--from', endpoint, '--to', copy],
      ['audit', 'verify', '--event-store', endpoint],
    ]) {
      const { code, out, err } = await runCommand(args, { DATA_DIR: join(folder(), 'unused') });
      expect([code, out], args.join(' ')).to.deep.equal([1, '']);
      expect(err).to.match(/^error: this is the protocol endpoint of the service.*: use the file/);
    }
    expect(existsSync(copy)).to.equal(false);
    const read = await runCommand(['audit', 'show', 'video-v1', '--event-store', endpoint]);
    expect([read.code, read.err]).to.deep.equal([0, '']);
    service.signal('SIGTERM');
    expect((await service.ended).code).to.equal(0);
  });

  it('is not served without credentials, or unprotected on a public address', async () => {
    for (const [env, named] of [
      [{}, 'EVENTSTORE_USERNAME'],
      [{ EVENTSTORE_INSECURE: 'true', EVENTSTORE_HOST: '0.0.0.0' }, 'EVENTSTORE_INSECURE'],
      [{ ...secure, EVENT_STORE: 'esdb://localhost:2113' }, 'EVENT_STORE'],
    ] as const) {
      const { code, err } = await start(['--eventstore-port', '0'], env).ended;
      expect([code, err.includes(named)], named).to.deep.equal([2, true]);
    }
  });
});
