import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { TooLate } from '../../../adapters/runtime/clock.js';
import { type Lane, type Threads, isOutOfMemory, startThreads } from '../../../adapters/runtime/threads.js';
import { Finite } from '../../../domain/kernel/recorded-event.js';
import type { Order } from '../../support/scripted-thread.js';
import { watchThreads } from '../../support/threads.js';

const result = t.readonlyArray(Finite);
const script = new URL('../../support/scripted-thread.js', import.meta.url);

describe('threads', () => {
  let opened: Threads[] = [];
  const open = (from = script) => {
    const threads = startThreads(from, { short: 32, 'large input': 32, 'large match': 32, 'long transcript': 32 });
    opened.push(threads);
    const run = (work: Order | 'answerLate', lane: Lane = 'short', timeoutMs = 20_000, input: unknown = 0) =>
      threads.run({ work, lane, input, result, timeoutMs });
    return { ...threads, run };
  };
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });

  const failureOf = (running: Promise<unknown>): Promise<unknown> =>
    running.then(
      () => null,
      (error: unknown) => error,
    );

  it('return the results of the script', async () => {
    const { run } = open();
    const answers = await Promise.all((['short', 'short', 'large input'] as const).map((lane) => run('answer', lane)));
    expect(answers).to.deep.equal([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('end after a task that may take much memory', async () => {
    const threads = watchThreads();
    const { run } = open();
    await Promise.all([run('answer', 'large input'), run('answer', 'large input')]);
    expect(await threads.kill()).to.equal(0);
    threads.stopWatching();
  });

  it('reject with the error of the script, and go on', async () => {
    const { run } = open();
    expect(await failureOf(run('fail')))
      .to.be.instanceOf(TypeError)
      .with.property('message', 'thrown by a test');
    expect(await run('answer')).to.have.length(3);
  });

  it('report where a result is invalid, and go on', async () => {
    const { run } = open();
    expect(await failureOf(run('answerOtherwise')))
      .to.be.instanceOf(Error)
      .with.property('message', 'the answer of the thread is invalid at [2]');
    expect(await run('answer')).to.have.length(3);
  });

  for (const order of ['die', 'fill'] as const)
    for (const lane of ['short', 'large input'] as const)
      it(`reject only the task whose thread ends (${order}, ${lane}); waiting tasks run in new ones`, async () => {
        const { run } = open();
        const orders: ReadonlyArray<Order> = [order, 'answer', 'answer', order, 'answer'];
        const [failing, ...others] = orders.map((one) => failureOf(run(one, lane)));
        expect(await failing).to.be.instanceOf(Error);
        expect(isOutOfMemory(await failing)).to.equal(order === 'fill');
        expect((await Promise.all(others)).map((failure) => failure === null)).to.deep.equal([true, true, false, true]);
      });

  it('end a task that takes too long, not counting the time of others', async () => {
    const { run } = open();
    const all = await Promise.all(
      (['hang', 'hang', 'hang', 'answer'] as const).map((order) =>
        failureOf(run(order, 'short', order === 'hang' ? 500 : 20_000)),
      ),
    );
    for (const late of all.slice(0, 3)) expect(late).to.be.instanceOf(TooLate);
    expect(all[3]).to.equal(null);
  });

  it('reject each task with a message if no thread can start, and work again once one can', async () => {
    const { forbid, stopWatching } = watchThreads();
    const { run } = open();
    const allow = forbid();
    for (const failure of await Promise.all([failureOf(run('answer')), failureOf(run('answer'))]))
      expect(failure).to.be.instanceOf(Error);
    allow();
    stopWatching();
    expect(await run('answer')).to.have.length(3);
    const nowhere = open(new URL('./nowhere.js', import.meta.url));
    expect(await failureOf(nowhere.run('answer'))).to.be.instanceOf(Error);
  });

  it('are replaced, and do again what would have taken too long', async () => {
    const threads = watchThreads();
    const { run, renew } = open();
    const [short, long] = [run('answerLate', 'short', 20_000, 300), run('answerLate', 'short', 20_000, 3_000)];
    await setTimeout(200);
    renew();
    expect(await short).to.deep.equal([300]);
    expect(await long).to.deep.equal([3_000]);
    renew();
    await setTimeout(300);
    expect(await threads.kill()).to.equal(0);
    threads.stopWatching();
  });

  it('reject running and waiting tasks when they are closed', async () => {
    const { run, close } = open();
    const all = (['hang', 'answer'] as const).map((order) => failureOf(run(order, 'large input')));
    await setTimeout(100);
    await close();
    for (const failure of [...(await Promise.all(all)), await failureOf(run('answer'))])
      expect(failure).to.be.instanceOf(Error).with.property('message', 'the threads have ended');
  });
});
