import { expect } from 'chai';
import { killNine } from '../support/kill-nine/rounds.js';
import { shortOrLong } from '../support/long-form.js';

const rounds = shortOrLong(1, 5);

describe('the service, killed under load', function () {
  this.timeout(180_000);

  it(`has everything that it acknowledged and no missing reaction, after ${rounds} kills at random moments`, async () => {
    const results = await killNine({ rounds });
    expect(results.flatMap(({ violations }) => violations)).to.deep.equal([]);
    expect(results.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).to.be.greaterThan(rounds);
  });
});
