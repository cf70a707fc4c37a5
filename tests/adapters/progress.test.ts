import { expect } from 'chai';
import { avaFaces, right } from './import/support.js';
import { watchedOn } from '../../adapters/cli/terminal.js';
import { replayLog } from '../../application/audit/replay-log.js';
import { verifyLog } from '../../application/audit/verify-log.js';
import { newEvents, openInMemory, succeeded } from '../support/event-store/stores.js';
import { readImportFile } from '../../adapters/import/read-document.js';

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

describe('the progress of reading', () => {
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

describe('the progress of an import', () => {
  it('reports every byte that is read', async () => {
    const reports: (readonly [number, number])[] = [];
    right(readImportFile(avaFaces, {}, (read, size) => reports.push([read, size])));
    const [read, size] = reports.at(-1) ?? [0, -1];
    expect(read).to.equal(size);
  });
});
