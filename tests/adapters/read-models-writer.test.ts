import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as t from 'io-ts';

const Message = t.tuple([t.type({ answers: t.number, kept: t.number })]);

describe('the writer of read models', () => {
  it('keeps no reference to an answer that was received, however long its thread lives', async () => {
    const thread = new Worker(new URL('../support/event-store/kept-of-answers.js', import.meta.url));
    const message: unknown = await once(thread, 'message');
    if (!Message.is(message)) throw new Error(`unexpected message: ${JSON.stringify(message)}`);
    expect(message[0].answers).to.equal(1);
    expect(message[0].kept).to.be.lessThan(100);
  });
});
