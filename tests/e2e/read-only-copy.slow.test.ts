import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { newEvents, succeeded, temporaryFolder } from '../support/event-store/stores.js';

const bin = fileURLToPath(new URL('../../adapters/bin.js', import.meta.url));

/** Root may write everywhere, so the command runs as a user without files. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const ran = (args: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [bin, ...args], nobody, (_error, out, err) => resolve(out + err));
  });

describe('a read-only copy of a log', function () {
  this.timeout(60_000);

  it('can be listed and verified', async function () {
    if (!(await ran(['--version'])).match(/^\d/)) return this.skip();
    const folder = await temporaryFolder();
    const file = join(folder.path, 'a copy.db');
    const { store, close } = openSqliteEventStore({ file });
    await succeeded(store.append('video-1', 'no_stream', newEvents(3)));
    await close();
    chmodSync(file, 0o444);
    chmodSync(folder.path, 0o555);
    expect(await ran(['audit', 'verify', '--file', file])).to.match(
      /3 events in 1 streams?.*\n.*\n(?:.*\n)?Nothing is wrong/,
    );
    expect(await ran(['audit', 'log', '--file', file])).to.match(/video-1@2/);
    chmodSync(folder.path, 0o755);
    await folder.remove();
  });
});
