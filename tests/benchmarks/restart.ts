import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { startServiceProcess } from '../support/service-process.js';
import { median, quick, whole } from './support/figures.js';
import { processorSeconds } from '../support/processes.js';
import { fillLog } from './support/realistic-log.js';

/* From the start of the process to /readyz on a long log: with read models, and from zero without. */

const least = quick ? 10_000 : 200_000;
const runs = quick ? 1 : 3;

const { path, remove } = await temporaryFolder();
const filling = openSqliteEventStore({ file: join(path, 'events.db') });
const events = await fillLog(filling.store, filling.checkpoints, least);
await filling.close();

interface Started {
  readonly ready_ms: number;
  /** Seconds of processor time until it was ready. */
  readonly processor: number;
}

const start = async (): Promise<Started> => {
  const { ready_ms, pid, stop } = await startServiceProcess(path, { patience_ms: 600_000 });
  const processor = processorSeconds(pid);
  await stop();
  return { ready_ms, processor };
};

const rebuilt: Started[] = [];
const restarted: Started[] = [];
for (let run = 0; run < runs; run += 1) {
  ['', '-wal', '-shm'].forEach((suffix) => rmSync(join(path, `read-models.db${suffix}`), { force: true }));
  rebuilt.push(await start());
  restarted.push(await start());
}
await remove();

const ready = (all: ReadonlyArray<Started>): number => median(all.map(({ ready_ms }) => ready_ms));
const processor = (all: ReadonlyArray<Started>): number => median(all.map((one) => one.processor));
/** Without the duration of a start that rebuilds nothing. */
const perSecond = (events * 1_000) / (ready(rebuilt) - ready(restarted));

console.log(`A log of ${whole(events)} events`);
console.table({
  'restart, read models present': {
    'ready after ms': whole(ready(restarted)),
    'CPU s': processor(restarted),
  },
  'rebuild from zero': {
    'ready after ms': whole(ready(rebuilt)),
    'CPU s': processor(rebuilt),
    'events /s': whole(perSecond),
    'events per CPU s': whole(events / (processor(rebuilt) - processor(restarted))),
  },
});
