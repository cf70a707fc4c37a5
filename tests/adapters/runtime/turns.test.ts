import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { takingTurns } from '../../../adapters/runtime/turns.js';

describe('turns of accounts', () => {
  const twoTurns = async (): Promise<void> => {
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

  it('are given to the accounts in turn', async () => {
    const [turns, begun] = [takingTurns(1), new Array<string>()];
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...work(begun, name) }));
    const running = all.map(({ name, task }) => turns.run(name.slice(0, 1), task));
    await twoTurns();
    expect(begun).to.deep.equal(['a1']);
    for (const name of ['a1', 'b1', 'a2', 'a3']) {
      all.find((one) => one.name === name)?.end();
      await twoTurns();
    }
    expect(await Promise.all(running)).to.deep.equal(['a1', 'a2', 'a3', 'b1']);
    expect(begun).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('are freed after work that fails', async () => {
    const turns = takingTurns(1);
    const failing = turns.run('a', () => Promise.reject(new Error('no')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await turns.run('a', () => Promise.resolve(1))).to.equal(1);
  });
});
