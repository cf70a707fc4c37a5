import { expect } from 'chai';
import { killErasures, remoteStorage } from '../support/erasure/kill.js';
import { shortOrLong } from '../support/long-form.js';

describe('erasures interrupted by kills', function () {
  this.timeout(600_000);

  it('are complete or were never begun, and the log is valid', async () => {
    if (process.env['TEST_EVENT_STORE'] !== undefined) return;
    const { violations } = await killErasures({ kills: shortOrLong(1, 40) });
    expect(violations).to.deep.equal([]);
  });

  it('are so on EventStoreDB too, with a vault over HTTP that is slow, unreachable, silent or wrong', async () => {
    const { violations } = await killErasures({ kills: shortOrLong(1, 40), openStorage: remoteStorage });
    expect(violations).to.deep.equal([]);
  });
});
