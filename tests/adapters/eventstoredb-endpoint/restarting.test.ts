import { join } from 'node:path';
import { expect } from 'chai';
import { connect, failure, numbered, revisions, take } from '../../support/event-store/esdb-client.js';
import { startServerProcess } from '../../support/event-store/eventstoredb-process.js';
import { credentials, startTestServer, tlsPair } from '../../support/event-store/eventstoredb-server.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';

describe('EventStoreDB endpoint: restarting', () => {
  it('continues with its data on the same port', async () => {
    const first = await startTestServer();
    const client = connect(first.url);
    await client.appendToStream('a', numbered(3));
    const second = await first.restart();
    const again = connect(second.url);
    await again.appendToStream('a', numbered(1), { expectedRevision: 2n });
    expect([second.port, revisions(await take(again.readStream('a')))]).to.deep.equal([first.port, [0, 1, 2, 3]]);
    await Promise.all([client.dispose(), again.dispose()]);
    await second.stop();
  });

  it('keeps what it acknowledged when it is killed during appends', async () => {
    const folder = await temporaryFolder();
    const settings = { file: join(folder.path, 'events.db'), tls: tlsPair('valid'), credentials };
    const first = await startServerProcess(settings);
    const client = connect(first.url);
    const acknowledged: number[] = [];
    const write = async (): Promise<never> => {
      for (let at = 0; ; at += 1) {
        await client.appendToStream('a', numbered(2), { credentials });
        acknowledged.push(at);
        if (at === 30) void first.kill();
      }
    };
    await failure(write());
    await first.kill();
    const second = await startServerProcess({ ...settings, port: first.port });
    const again = connect(second.url);
    const found = revisions(await take(again.readStream('a')));
    expect(second.port).to.equal(first.port);
    expect(found.length).to.be.within(2 * acknowledged.length, 2 * acknowledged.length + 2);
    expect(found).to.deep.equal(found.map((_, index) => index));
    await Promise.all([client.dispose(), again.dispose()]);
    await second.stop();
    await folder.remove();
  });
});
