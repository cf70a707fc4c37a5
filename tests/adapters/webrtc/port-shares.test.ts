import { expect } from 'chai';
import { shareOf, sharesOf } from '../../../adapters/realtime/webrtc/port-shares.js';

describe('shares of the UDP ports', () => {
  it('are as many as the threads, where there are ports enough', () => {
    expect(sharesOf([40_000, 49_999], 8)).to.equal(8);
    expect(sharesOf([40_000, 40_399], 8)).to.equal(4);
    expect(sharesOf([40_000, 40_001], 8)).to.equal(1);
  });

  it('are all ports, each once', () => {
    const shares = [0, 1, 2].map((at) => shareOf([40_000, 40_999], at, 3));
    expect(shares).to.deep.equal([
      [40_000, 40_332],
      [40_333, 40_665],
      [40_666, 40_999],
    ]);
  });
});
