import { expect } from 'chai';
import { ledgerKill } from '../support/ledger-kill/rounds.js';
import { shortOrLong } from '../support/long-form.js';

describe('the ledger of a service that is killed under load', function () {
  this.timeout(180_000);

  it('adds up, with nothing lost and nothing charged twice, after operations of many clients', async () => {
    const { violations, kills, charges, bookings } = await ledgerKill({
      operations: shortOrLong(50, 200),
      clients: 8,
      longest_ms: shortOrLong(500, 1_500),
    });
    expect(violations).to.deep.equal([]);
    expect(Math.min(kills, charges, bookings)).to.be.greaterThan(0);
  });
});
