import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as t from 'io-ts';
import { createOutages } from '../../../adapters/event-store/eventstoredb/outages.js';
import { silentLog } from '../../support/event-store/silent-log.js';

const Told = t.tuple([t.type({ kept: t.number })]);

/** Outages of a server that is away until it is told to be back. */
const outagesOf = () => {
  let isThere = false;
  const outages = createOutages(silentLog, {
    isBack: () => Promise.resolve(isThere),
    onLoss: () => undefined,
    onReturn: () => undefined,
  });
  return { ...outages, comeBack: () => void (isThere = true) };
};

describe('an outage of the event store', () => {
  it('is waited out for a limited time, until the server is back, or until the wait is aborted or closed', async () => {
    const { begin, over, comeBack, close } = outagesOf();
    expect(await over(0)).to.equal(true);
    begin('gone');
    expect(await over(0)).to.equal(false);
    expect(await over(20)).to.equal(false);
    expect(await over(60_000, AbortSignal.timeout(20))).to.equal(false);
    const waiting = [over(60_000), over(60_000)];
    comeBack();
    expect(await Promise.all(waiting)).to.deep.equal([true, true]);
    begin('gone again');
    const last = over(60_000);
    await close();
    expect([await last, await over(60_000)]).to.deep.equal([false, false]);
  });

  it('keeps nothing of the calls that it made fail, however long it lasts', async () => {
    const thread = new Worker(new URL('../../support/event-store/kept-of-outage.js', import.meta.url));
    const told: unknown = await once(thread, 'message');
    if (!Told.is(told)) throw new Error(`the thread told ${JSON.stringify(told)}`);
    expect(told[0].kept).to.be.lessThan(100);
  });
});
