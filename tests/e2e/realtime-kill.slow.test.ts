import { expect } from 'chai';
import { killRealtime } from '../support/realtime/kill-rounds.js';
import { shortOrLong } from '../support/long-form.js';

describe('realtime sessions of a service that is killed', function () {
  this.timeout(120_000);
  const rounds = shortOrLong(1, 3);
  const sessions = 3 * rounds;

  it('are charged for the connected time, within one interval, and hold no credits afterwards', async () => {
    const { violations, charged_seconds, sessions: opened } = await killRealtime(sessions, rounds);
    expect(violations).to.deep.equal([]);
    expect(opened).to.equal(sessions);
    expect(charged_seconds).to.be.greaterThan(0);
  });
});
