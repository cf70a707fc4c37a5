import { expect } from 'chai';
import { stopInTime } from '../../../adapters/runtime/clock.js';

describe('stopping in time', () => {
  it('closes everything, in order, even if finishing fails', async () => {
    const done: string[] = [];
    const closing = ['threads', 'data'].map((name) => async (): Promise<void> => void done.push(name));
    const failure = await stopInTime({ finish: () => Promise.reject(new Error('no end')), close: closing }).catch(
      String,
    );
    expect(failure).to.equal('Error: no end');
    expect(done).to.deep.equal(['threads', 'data']);
  });
});
