import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { fairQueue } from '../../../adapters/runtime/fair-queue.js';

describe('fair queue', () => {
  const afterTwoTurns = async (): Promise<void> => {
    await setImmediate();
    await setImmediate();
  };

  /** Work that records its start, and ends on request. */
  const work = (begun: string[], name: string) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const task = (): Promise<string> => {
      begun.push(name);
      return ended.then(() => name);
    };
    return { task, end: () => end() };
  };

  it('lets the accounts take turns', async () => {
    const [queue, begun] = [fairQueue(1), new Array<string>()];
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...work(begun, name) }));
    const running = all.map(({ name, task }) => queue.run(name.slice(0, 1), task));
    await afterTwoTurns();
    expect(begun).to.deep.equal(['a1']);
    for (const name of ['a1', 'b1', 'a2', 'a3']) {
      all.find((one) => one.name === name)?.end();
      await afterTwoTurns();
    }
    expect(await Promise.all(running)).to.deep.equal(['a1', 'a2', 'a3', 'b1']);
    expect(begun).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });
});
