import { expect } from 'chai';
import { describe, it } from 'mocha';
import { askTogether } from '../../../adapters/http/ask-together.js';
import { nextTurn } from '../../../adapters/runtime/turns.js';

/** Numbers its answers, so that it shows who shared one. */
const counted = () => {
  let asked = 0;
  return async (): Promise<number> => (asked += 1);
};

describe('Asking together', () => {
  it('gives those who were woken by the same change one answer, in whatever turn of the event loop they ask', async () => {
    const together = askTogether<number>();
    const ask = counted();
    const wake = {};
    const first = await together(wake, 'run', ask);
    await nextTurn();
    expect([first, await together(wake, 'run', ask)]).to.deep.equal([1, 1]);
  });

  it('asks again after another change, and for another run', async () => {
    const together = askTogether<number>();
    const ask = counted();
    const wake = {};
    const answers = [together(wake, 'run', ask), together({}, 'run', ask), together(wake, 'other', ask)];
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3]);
  });

  it('asks once in a turn of the event loop for those whom no change woke', async () => {
    const together = askTogether<number>();
    const ask = counted();
    const answers = await Promise.all([together(null, 'run', ask), together(null, 'run', ask)]);
    await nextTurn();
    expect([...answers, await together(null, 'run', ask)]).to.deep.equal([1, 1, 2]);
  });
});
