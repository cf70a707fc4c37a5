import { expect } from 'chai';
import { killNine } from '../support/kill-nine/rounds.js';
import { shortOrLong } from '../support/long-form.js';

const rounds = shortOrLong(1, 5);

describe('the service, killed under load', function () {
  this.timeout(180_000);

  it(`has everything that it acknowledged and no missing reaction, after ${rounds} kills at random moments`, async () => {
    const { violations, acknowledged } = await killNine(rounds);
    expect(violations).to.deep.equal([]);
    expect(acknowledged).to.be.greaterThan(rounds);
  });
});
