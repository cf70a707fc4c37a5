import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { TooLate } from '../../../adapters/runtime/deadline.js';
import { type ThreadPool, threadPool } from '../../../adapters/runtime/thread-pool.js';
import { Finite } from '../../../domain/kernel/json.js';
import type { Order } from '../../support/scripted-thread.js';
import { watchThreads } from '../../support/threads.js';

const result = t.readonlyArray(Finite);
const script = new URL('../../support/scripted-thread.js', import.meta.url);

describe('a thread pool', () => {
  let pools: ThreadPool<Order, ReadonlyArray<number>>[] = [];
  const open = (parts: { readonly timeoutMs?: number; readonly threads?: number; readonly script?: URL } = {}) => {
    const pool = threadPool({ script, result, threads: 1, timeoutMs: 20_000, megabytes: 32, ...parts });
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.map(({ close }) => close()));
    pools = [];
  });

  const failureOf = (result: Promise<unknown>): Promise<unknown> =>
    result.then(
      () => null,
      (error: unknown) => error,
    );

  it('returns the results of the script for its tasks, one after the other', async () => {
    const { run } = open();
    const answers = await Promise.all(['answer', 'answer', 'answer'].map(() => run('answer')));
    expect(answers).to.deep.equal([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('ends the thread of a task that should free its memory, and runs the next task on another', async () => {
    const threads = watchThreads();
    const pool = threadPool({
      script,
      result,
      threads: 1,
      timeoutMs: 20_000,
      megabytes: 32,
      isLast: () => true,
    });
    pools.push(pool);
    const both = await Promise.all([pool.run('answer'), pool.run('answer')]);
    expect(both.map(({ length }) => length)).to.deep.equal([3, 3]);
    await setTimeout(100);
    expect(await threads.kill()).to.equal(0);
    threads.stopWatching();
  });

  it('rejects with the error of the script, and continues', async () => {
    const { run } = open();
    expect(await failureOf(run('throw')))
      .to.be.instanceOf(TypeError)
      .with.property('message', 'thrown by a test');
    expect(await run('answer')).to.have.length(3);
  });

  it('reports where a result is invalid, and continues', async () => {
    const { run } = open();
    expect(await failureOf(run('answer otherwise')))
      .to.be.instanceOf(Error)
      .with.property('message', 'the answer of the thread is invalid at [2]');
    expect(await run('answer')).to.have.length(3);
  });

  for (const [order, reason] of [
    ['die', /ended with code 7/],
    ['fill', /memory limit/],
  ] as const)
    it(`rejects only the task whose thread ends (${order}); waiting tasks run on a new one`, async () => {
      const { run } = open();
      const orders: ReadonlyArray<Order> = [order, 'answer', 'answer', order, 'answer'];
      const [failing, ...others] = orders.map((one) => failureOf(run(one)));
      expect(await failing)
        .to.be.instanceOf(Error)
        .with.property('message')
        .that.matches(reason);
      expect((await Promise.all(others)).map((failure) => failure === null)).to.deep.equal([true, true, false, true]);
    });

  it('ends a task that takes too long, not counting the time of others', async () => {
    const { run } = open({ timeoutMs: 700 });
    const all = await Promise.all((['hang', 'hang', 'answer'] as const).map((order) => failureOf(run(order))));
    expect(all[0]).to.be.instanceOf(TooLate);
    expect(all[1]).to.be.instanceOf(TooLate);
    expect(all[2]).to.equal(null);
  });

  it('rejects each task with a message if no thread can start, and works again once one can', async () => {
    const { forbid, stopWatching } = watchThreads();
    const { run } = open();
    const allow = forbid();
    for (const failure of await Promise.all([failureOf(run('answer')), failureOf(run('answer'))]))
      expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('the thread ended');
    allow();
    stopWatching();
    expect(await run('answer')).to.have.length(3);
    const nowhere = open({ script: new URL('./nowhere.js', import.meta.url) });
    expect(await failureOf(nowhere.run('answer'))).to.be.instanceOf(Error);
  });

  it('rejects running and waiting tasks when it is closed', async () => {
    const { run, close } = open();
    const all = (['hang', 'answer'] as const).map((order) => failureOf(run(order)));
    await close();
    for (const failure of [...(await Promise.all(all)), await failureOf(run('answer'))])
      expect(failure).to.be.instanceOf(Error).with.property('message', 'the threads have ended');
  });
});
