import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { readSlots } from '../../../adapters/http/read-slots.js';

describe('read slots', () => {
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
    const [slots, begun] = [readSlots(1), new Array<string>()];
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...work(begun, name) }));
    const running = all.map(({ name, task }) => slots.forAccount(name.slice(0, 1))(task)());
    await setTimeout(0);
    expect(begun).to.deep.equal(['a1']);
    for (const { end } of all) {
      end();
      await setTimeout(0);
    }
    expect(await Promise.all(running)).to.deep.equal(['a1', 'a2', 'a3', 'b1']);
    expect(begun).to.deep.equal(['a1', 'a2', 'b1', 'a3']);
  });

  it('are freed after work that fails', async () => {
    const slots = readSlots(1);
    const failing = slots.forAccount('a')(() => Promise.reject(new Error('no')))();
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await slots.forAccount('a')(() => Promise.resolve(1))()).to.equal(1);
  });
});
