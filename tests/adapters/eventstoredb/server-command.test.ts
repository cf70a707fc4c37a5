import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { startServerProcess } from '../../support/event-store/eventstoredb-process.js';
import { newEvents } from '../../support/event-store/events.js';
import { succeeded } from '../../support/event-store/outcomes.js';
import { silentLog } from '../../support/event-store/silent-log.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';

const program = fileURLToPath(new URL('../../support/event-store/eventstoredb-program.js', import.meta.url));

describe('a server started by a command', () => {
  it('listens on $PORT with its data in $DB, receives no other options, and continues after a stop', async () => {
    const { path, remove } = await temporaryFolder();
    const file = join(path, 'server.db');
    const command = `env > "$DB.env"; "${process.execPath}" "${program}"`;
    process.env['KURRENTDB_UNKNOWN'] = process.env['EVENTSTORE_UNKNOWN'] = 'x';
    const first = await startServerProcess({ file, command });
    const { store, close } = openEventStoreDb(addressOf(first.url), silentLog);
    await succeeded(store.append('video-1', 'no_stream', newEvents(3)));
    const given = await readFile(`${file}.env`, 'utf8');
    expect(given).to.include(`PORT=${first.port}\n`).and.include(`DB=${file}\n`);
    expect(given).not.to.match(/^(EVENTSTORE|KURRENTDB)_/m);
    await first.stop();
    delete process.env['KURRENTDB_UNKNOWN'];
    delete process.env['EVENTSTORE_UNKNOWN'];
    const second = await startServerProcess({ file, command, port: first.port });
    expect(await succeeded(store.read('video-1', -1, 10))).to.have.length(3);
    await close();
    await second.kill();
    await remove();
  });
});
