import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Checkpoints } from '../../../application/ports/event-store.js';
import { succeeded } from '../event-store/outcomes.js';

const position = (row: number): string => String(row).padStart(16, '0');

/** Checkpoints: one for each process, which never goes back. */
export const checkpointsContract = (checkpoints: () => Checkpoints | undefined): void => {
  it('keeps the greatest position saved for each process', async function () {
    const kept = checkpoints();
    if (kept === undefined) {
      this.skip();
      return;
    }
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await succeeded(kept.load(one))).to.equal(null);
    await succeeded(kept.save(one, position(7)));
    await succeeded(kept.save(other, position(2)));
    await succeeded(kept.save(one, position(12)));
    await succeeded(kept.save(one, position(9)));
    expect(await succeeded(kept.load(one))).to.equal(position(12));
    expect(await succeeded(kept.load(other))).to.equal(position(2));
  });
};
