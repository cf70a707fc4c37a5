import { expect } from 'chai';
import { portShare, portShares } from '../../../adapters/realtime/webrtc/embedded-engine.js';

describe('the UDP ports of media threads', () => {
  it('are divided among all threads if there are enough ports', () => {
    expect(portShares([40_000, 49_999], 8)).to.equal(8);
    expect(portShares([40_000, 40_399], 8)).to.equal(4);
    expect(portShares([40_000, 40_001], 8)).to.equal(1);
  });

  it('cover the whole range without overlap', () => {
    const shares = [0, 1, 2].map((index) => portShare([40_000, 40_999], index, 3));
    expect(shares).to.deep.equal([
      [40_000, 40_332],
      [40_333, 40_665],
      [40_666, 40_999],
    ]);
  });
});
