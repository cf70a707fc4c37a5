import { expect } from 'chai';
import { type Tried, isAllowed, tryFaults } from '../support/corruption/try-faults.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { isLongForm, shortOrLong } from '../support/long-form.js';

/** A few of the random faults of `npm run bench:corruption`, with other seeds each time; a failure prints its seed. */
describe('random damage to the data files', function () {
  // Each fault starts processes: on a busy machine all of them together take minutes.
  this.timeout(600_000);

  it('never ends the process for good; read models heal where it is noticed, a log is refused with its name', async () => {
    const first = Math.floor(Math.random() * 1_000_000);
    // Damage by the first one ends SQLite's own check of the file.
    const seeds = [242, ...Array.from({ length: shortOrLong(5, 20) }, (_, index) => first + index)];
    const tried: Tried[] = [];
    const { path, remove } = await temporaryFolder();
    await tryFaults(path, seeds, (one) => tried.push(one));
    await remove();
    expect(tried).to.have.length(2 * seeds.length);
    expect(tried.filter((one) => !isAllowed(one))).to.deep.equal([]);
    if (isLongForm) expect(tried.filter(({ outcome }) => outcome === 'refused')).not.to.have.length(0);
  });
});
