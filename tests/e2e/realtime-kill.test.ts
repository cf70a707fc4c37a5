import { expect } from 'chai';
import { killRealtime } from '../support/realtime/kill-rounds.js';

describe('realtime sessions of a service that is killed', function () {
  this.timeout(120_000);

  it('are charged for what they were connected, within an interval, and hold nothing afterwards', async () => {
    const { violations, charged_seconds, sessions } = await killRealtime(9, 3);
    expect(violations).to.deep.equal([]);
    expect(sessions).to.equal(9);
    expect(charged_seconds).to.be.greaterThan(0);
  });
});
