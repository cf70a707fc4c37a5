import { join } from 'node:path';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { watchedOn } from '../../adapters/cli/progress.js';
import { inspectFile } from '../../adapters/event-store/sqlite/file.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { replayLog } from '../../application/audit/replay-log.js';
import { verifyLog } from '../../application/audit/verify-log.js';
import { newEvent, newEvents } from '../support/event-store/events.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

/** The output for steps, each this many milliseconds after the previous one. */
const shownOn = async (isTTY: boolean, steps: ReadonlyArray<readonly [pause: number, share: number | null]>) => {
  const written: string[] = [];
  let now = 0;
  const watched = watchedOn({ isTTY, write: (text) => written.push(text) }, () => now);
  const result = await watched(async (onProgress) => {
    for (const [index, [pause, share]] of steps.entries()) {
      now += pause;
      onProgress({ events: 1_000 * (index + 1), share });
    }
    return 'done';
  });
  expect(result).to.equal('done');
  return written;
};

const clearLine = '\r\u001B[K';

describe('the progress of verify, seal and replay', () => {
  it('is shown as a line after a second, and removed at the end', async () =>
    expect(
      await shownOn(true, [
        [900, 0.1],
        [200, 0.5],
        [50, 0.6],
        [100, null],
      ]),
    ).to.deep.equal([
      `${clearLine}###############............... 50 % 2,000 events`,
      `${clearLine}4,000 events`,
      clearLine,
    ]));

  it('is shown only on a terminal, and not for short work', async () => {
    expect(await shownOn(false, [[5_000, 0.5]])).to.deep.equal([]);
    expect(await shownOn(true, [[10, 0.5]])).to.deep.equal([]);
  });

  it('is removed if the work fails', async () => {
    const written: string[] = [];
    let now = 0;
    const watched = watchedOn({ isTTY: true, write: (text) => written.push(text) }, () => now);
    const failure = await watched(async (onProgress) => {
      now = 2_000;
      onProgress({ events: 1, share: 0.5 });
      throw new Error('no log');
    }).catch(String);
    expect(failure).to.equal('Error: no log');
    expect(written.at(-1)).to.equal(clearLine);
  });

  it('names what is counted if it is not events', async () => {
    const written: string[] = [];
    let now = 0;
    const watched = watchedOn({ isTTY: true, write: (text) => written.push(text) }, () => now);
    await watched(async (onProgress) => {
      now = 2_000;
      onProgress({ events: 7, share: null, counted: 'rows of the file' });
    });
    expect(written[0]).to.equal(`${clearLine}7 rows of the file`);
  });

  it('continues in the second reading, whose failure is reported', async () => {
    const { store, close } = await openInMemory();
    const alike = ['00000000', 'ffffffff'].map((start) => newEvent({ id: `${start}-0000-4000-8000-000000000000` }));
    await succeeded(store.append('video-1', 'no_stream', [...alike, ...newEvents(250)]));
    const reports: string[] = [];
    const { faults } = await verifyLog(store, [], ({ events, counted }) => reports.push(`${events} ${counted ?? ''}`));
    const again = 'events, read again for repeated ids';
    expect(reports).to.deep.equal(['200 ', '252 ', `200 ${again}`, `252 ${again}`]);
    expect(faults).to.deep.equal([]);
    let pages = 0;
    const readAll: typeof store.readAll = (...args) => {
      pages += 1;
      return pages < 4 ? store.readAll(...args) : TE.left({ _tag: 'StoreUnavailable', reason: 'gone' });
    };
    const failed = await verifyLog({ ...store, readAll });
    expect(failed.faults.map(({ kind, message }) => `${kind}: ${message}`)).to.deep.equal([
      'broken_storage: the log cannot be read beyond position #252: gone',
    ]);
    await close();
  });

  it('counts the rows of a file', async () => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'events.db');
    const { store, close } = openSqliteEventStore({ file });
    await succeeded(store.append('video-1', 'no_stream', newEvents(150)));
    await close();
    const reports: (readonly [number, number | null])[] = [];
    expect(inspectFile(file, ({ events, share }) => reports.push([events, share]))).to.deep.equal([]);
    expect(reports).to.deep.equal([
      [100, 2 / 3],
      [150, 1],
    ]);
    await folder.remove();
  });

  it('counts every event of the log, up to its end', async () => {
    const { store, close } = await openInMemory();
    await succeeded(store.append('video-1', 'no_stream', newEvents(250)));
    const reports: (readonly [number, number | null])[] = [];
    await verifyLog(store, [], ({ events, share }) => reports.push([events, share]));
    expect(reports).to.deep.equal([
      [200, 0.8],
      [250, 1],
    ]);
    reports.length = 0;
    await replayLog(store, { position: '0' }, ({ events, share }) => reports.push([events, share]));
    expect(reports).to.deep.equal([[200, 0.8]]);
    await close();
  });
});
