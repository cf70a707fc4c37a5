import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as t from 'io-ts';

const Told = t.tuple([t.type({ answers: t.number, kept: t.number })]);

describe('the writer of read models', () => {
  it('keeps no reference to an answer that was received, however long its thread lives', async () => {
    const thread = new Worker(new URL('../support/event-store/kept-of-answers.js', import.meta.url));
    const told: unknown = await once(thread, 'message');
    if (!Told.is(told)) throw new Error(`the thread told ${JSON.stringify(told)}`);
    expect(told[0].answers).to.equal(1);
    expect(told[0].kept).to.be.lessThan(100);
  });
});
