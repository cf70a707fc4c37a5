import { expect } from 'chai';
import { ledgerKill } from '../support/ledger-kill/rounds.js';

describe('the ledger of a service that is killed under load', function () {
  this.timeout(180_000);

  it('adds up, with nothing lost and nothing charged twice, after 200 operations', async () => {
    const { violations, kills, charges, bookings } = await ledgerKill({
      operations: 200,
      clients: 8,
      longest_ms: 1_500,
    });
    expect(violations).to.deep.equal([]);
    expect(Math.min(kills, charges, bookings)).to.be.greaterThan(0);
  });
});
