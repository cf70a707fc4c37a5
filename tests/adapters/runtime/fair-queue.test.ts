import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { fairQueue } from '../../../adapters/runtime/fair-queue.js';

describe('fair queue', () => {
  it('runs one after the other, and lets the accounts take turns', async () => {
    const queue = fairQueue(1);
    const course: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      course.push(`${name} begins`);
      await setImmediate();
      course.push(`${name} ends`);
      return name;
    };
    const names = ['a1', 'a2', 'a3', 'b1'];
    const running = names.map((name) => queue.run(name.slice(0, 1), work(name)));
    expect(await Promise.all(running)).to.deep.equal(names);
    expect(course).to.deep.equal(['a1', 'b1', 'a2', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });
});
