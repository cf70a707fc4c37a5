import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import type { ExpectedRevision } from '../../../application/ports/event-store.js';
import { freshStream, idsOf, newEvents, succeeded } from './stores.js';

const [file = '', writers, batches] = process.argv.slice(2);
const { store, close } = openSqliteEventStore({ file });

const write = async (stream: string): Promise<void> => {
  let expected: ExpectedRevision = 'no_stream';
  for (let batch = 0; batch < Number(batches); batch += 1) {
    const size = 1 + (batch % 5);
    const events = newEvents(size, { data: { batch, size } });
    ({ revision: expected } = await succeeded(store.append(stream, expected, events)));
    process.stdout.write(`${stream} ${idsOf(events).join(' ')}\n`);
  }
};

await Promise.all(Array.from({ length: Number(writers) }, () => write(freshStream())));
await close();
