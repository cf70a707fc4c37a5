import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { nextTurn, turnFor } from '../../../adapters/runtime/turns.js';

describe('turns of long work', () => {
  it('come one in each turn of the event loop, in order', async () => {
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

  it('are not waited for by short work', async () => {
    const done: string[] = [];
    await Promise.all([
      nextTurn().then(() => done.push('long')),
      turnFor(100).then(() => done.push('short')),
      turnFor(1_000_000).then(() => done.push('long')),
    ]);
    expect(done).to.deep.equal(['short', 'long', 'long']);
  });
});
