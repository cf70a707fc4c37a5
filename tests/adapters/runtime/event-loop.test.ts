import { stat } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { yieldIfBusy, nextTurn } from '../../../adapters/runtime/event-loop.js';

describe('slices of long work', () => {
  it('run one per turn of the event loop, in order', async () => {
    const done: number[] = [];
    const slices = [1, 2, 3].map(async (number) => {
      await nextTurn();
      done.push(number);
      await nextTurn();
      done.push(10 * number);
    });
    const counts: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      await setImmediate();
      counts.push(done.length);
    }
    await Promise.all(slices);
    expect(done).to.deep.equal([1, 2, 3, 10, 20, 30]);
    expect(counts.map((count, at) => count - (counts[at - 1] ?? 0)).every((more) => more <= 1)).to.equal(true);
  });

  const work = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };

  it('run later only if a turn has been busy for long', async () => {
    await setImmediate();
    const answers = [yieldIfBusy(), yieldIfBusy()];
    work(30);
    const long = yieldIfBusy();
    expect(answers).to.deep.equal([null, null]);
    expect(long).to.be.instanceOf(Promise);
    await long;
    await setImmediate();
    await setImmediate();
    expect(yieldIfBusy()).to.equal(null);
  });

  (
    [
      ['one slice in each', nextTurn],
      ['giving way', yieldIfBusy],
    ] as const
  ).forEach(([name, turnOf]) =>
    it(`run after input that arrived meanwhile, even if requested while a socket or file is handled: ${name}`, async () => {
      const order: string[] = [];
      await stat('.');
      void yieldIfBusy();
      const timer = setTimeout(1).then(() => order.push('timer'));
      work(30);
      const turn = turnOf();
      expect(turn).to.be.instanceOf(Promise);
      await turn;
      order.push('turn');
      await timer;
      expect(order).to.deep.equal(['timer', 'turn']);
    }),
  );

  it('let health checks pass, however many tasks yield at once, and keep their order', async () => {
    const done: number[] = [];
    const started = Array.from({ length: 10 }, async (_, number) => {
      const turn = yieldIfBusy();
      if (turn !== null) await turn;
      done.push(number);
      work(30);
    });
    const longest: number[] = [];
    for (let before = performance.now(); done.length < 10; before = performance.now()) {
      await setImmediate();
      longest.push(performance.now() - before);
    }
    await Promise.all(started);
    expect(done).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(longest.length).to.be.greaterThan(8);
  });
});
