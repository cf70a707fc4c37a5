import { expect } from 'chai';
import { openDatabase } from '../../adapters/event-store/sqlite/database.js';
import { sharedPages } from '../../adapters/event-store/sqlite/pages.js';
import { createReader } from '../../adapters/event-store/sqlite/reader.js';

describe('pages that subscriptions to the embedded log share', () => {
  it('are read again after a failure, although nothing was written meanwhile', async () => {
    const db = openDatabase(':memory:');
    const reader = createReader(db);
    let failures = 1;
    const read = sharedPages({
      ...reader,
      sizesOfAll: (...wanted) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the disk does not answer');
        return reader.sizesOfAll(...wanted);
      },
    });
    const outcome = () =>
      read(0, 1, {}).then(
        ({ page }) => page.examined,
        (error: unknown) => String(error),
      );
    expect(await outcome()).to.include('the disk does not answer');
    expect(await outcome()).to.equal('0000000000000001');
    db.close();
  });
});
