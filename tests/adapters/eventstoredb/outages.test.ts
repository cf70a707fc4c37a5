import { expect } from 'chai';
import { constVoid } from 'fp-ts/lib/function.js';
import { openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { probe } from '../../../adapters/event-store/eventstoredb/read.js';
import { addressOf } from '../../support/event-store/eventstoredb-server.js';
import { silentLog } from '../../support/event-store/stores.js';
import { useAdapter } from '../../support/event-store/use-adapter.js';

describe('an outage of the event store', () => {
  const { newFile, serve } = useAdapter();

  it('is waited out for a limited time, until the server is back, or until the wait is aborted or closed', async () => {
    const file = await newFile();
    const first = await serve({ file });
    const address = addressOf(`${first.url}&defaultDeadline=100`);
    const { call, answering, close } = openConnection({ address, log: silentLog, probe, onReturn: constVoid });
    expect(await answering(0)).to.equal(true);
    await first.stop();
    while (await answering(0)) await call(probe);
    expect(await answering(20)).to.equal(false);
    expect(await answering(60_000, AbortSignal.timeout(20))).to.equal(false);
    const waiting = [answering(60_000), answering(60_000)];
    const second = await serve({ file, port: first.port });
    expect(await Promise.all(waiting)).to.deep.equal([true, true]);
    await second.stop();
    while (await answering(0)) await call(probe);
    const last = answering(60_000);
    await close();
    expect([await last, await answering(60_000)]).to.deep.equal([false, false]);
  });
});
