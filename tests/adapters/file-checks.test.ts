import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { startFileCheck } from '../../adapters/composition/file-checks.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { newEvents } from '../support/event-store/events.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';

type Check = Parameters<typeof startFileCheck>[0];

const holdUp = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** This many microtasks later, in the same turn of the event loop. */
const steps = async (count: number): Promise<void> => {
  for (let step = 0; step < count; step += 1) await Promise.resolve();
};

describe('the check of a data file', () => {
  it('returns its answer even if the exit of its process is seen first, because another process ended too', async () => {
    const { path, remove } = await temporaryFolder();
    const file = join(path, 'events.db');
    const { store, close } = openSqliteEventStore({ file });
    await succeeded(store.append('a-1', 'no_stream', newEvents(3)));
    await close();
    let answer: (job: Awaited<Check>) => void = () => undefined;
    const check = startFileCheck(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await setTimeout(500);
    // Its message and its end are seen in one turn; in between, the check can answer and end.
    const other = spawn('echo', ['word'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const answered = new Promise<void>((resolve) => {
      other.stdout.once('data', () => {
        answer({ what: 'log', file });
        void steps(5).then(() => {
          holdUp(1_000);
          resolve();
        });
      });
    });
    holdUp(300);
    await answered;
    expect(await check.damage).to.equal(null);
    await remove();
  });
});
