import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { backoff, keyedQueue } from '../../application/queue-and-backoff.js';

describe('a queue by key', () => {
  it('runs tasks with one key in order, also after one that failed, and others meanwhile; then it is idle', async () => {
    const { run, idle } = keyedQueue();
    const began: string[] = [];
    const tasks = ['one', 'two', 'three', 'other'].map((name) => {
      const end = new AbortController();
      const answer = run(name === 'other' ? 'b' : 'a', async () => {
        began.push(name);
        if (!end.signal.aborted) await once(end.signal, 'abort');
        if (name === 'one') throw new Error('failed');
        return name;
      })();
      return { answer: answer.catch(() => 'failed'), end: () => end.abort() };
    });
    let isIdle = false;
    const whole = idle().then(() => (isIdle = true));
    await setImmediate();
    expect(began).to.deep.equal(['one', 'other']);
    tasks[0]?.end();
    await setImmediate();
    expect(began).to.deep.equal(['one', 'other', 'two']);
    const late = run('a', async () => began.push('late'))();
    await setImmediate();
    expect([began.length, isIdle]).to.deep.equal([3, false]);
    tasks.forEach(({ end }) => end());
    await Promise.all([whole, late]);
    expect(began).to.deep.equal(['one', 'other', 'two', 'three', 'late']);
    expect(await Promise.all(tasks.map(({ answer }) => answer))).to.deep.equal(['failed', 'two', 'three', 'other']);
  });
});

describe('a backoff', () => {
  it('doubles each pause up to the longest, and begins anew after a success', () => {
    const { next, reset } = backoff(10, 30);
    expect([next(), next(), next(), next()]).to.deep.equal([10, 20, 30, 30]);
    reset();
    expect(next()).to.equal(10);
  });
});
