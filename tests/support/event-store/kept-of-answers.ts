import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { openReadModels } from '../../../adapters/read-models/open.js';
import { openWriter } from '../../../adapters/read-models/session.js';
import { temporaryFolder } from './temporary-sqlite.js';

/*
 * A thread that lets a writer of read models answer often, and reports how many different answers there were and how many
 * promises more there are. In a thread there is little else to look through: in a process of many tests it takes seconds.
 */

const { path, remove } = await temporaryFolder();
const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
const file = join(path, 'read-models.db');
await openReadModels({ file, store }).close();
const writer = openWriter(file);
const progress = { position: null, log_id: null, last: null, unopened: [] };
const index = { events: [], blocks: [], kinds: [], actors: [] };
const batch = { from: progress, to: progress, sums: {}, tables: [], index, erases: false };
const answer = () => writer.write(batch).then(Object.keys, (error: Error) => error.message);
const answers = new Set([JSON.stringify(await answer())]);
const before = queryObjects(Promise, { format: 'count' });
for (let turn = 0; turn < 300; turn += 1) answers.add(JSON.stringify(await answer()));
const kept = queryObjects(Promise, { format: 'count' }) - before;
await writer.close();
await close();
await remove();
parentPort?.postMessage({ answers: answers.size, kept }, []);
