import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect } from 'chai';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import { openWriter } from '../../adapters/read-models/writer.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

describe('the writer of read models', () => {
  it('keeps nothing of an answer that was taken, however long its thread lives', async () => {
    const { path, remove } = await temporaryFolder();
    const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
    const file = join(path, 'read-models.db');
    await openReadModels({ file, store }).close();
    const writer = openWriter(file);
    const progress = { position: null, log_id: null, last: null, unopened: [] };
    const index = { events: [], blocks: [], kinds: [], actors: [] };
    const batch = { from: progress, to: progress, sums: {}, tables: [], index, erases: false };
    const answer = () => writer.write(batch).then(Object.keys, (error: Error) => error.message);
    const first = await answer();
    const before = queryObjects(Promise, { format: 'count' });
    for (let turn = 0; turn < 300; turn += 1) expect(await answer()).to.deep.equal(first);
    expect(queryObjects(Promise, { format: 'count' }) - before).to.be.lessThan(100);
    await writer.close();
    await close();
    await remove();
  });
});
