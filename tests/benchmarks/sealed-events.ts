import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openKeyVault } from '../../adapters/composition/key-vault.js';
import { sealedLog } from '../../adapters/composition/sealed-log.js';
import { defaults } from '../../adapters/config/config.js';
import { logExtent } from '../../adapters/event-store/sqlite/file.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import { replayLog } from '../../application/audit/replay-log.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { httpClient } from '../support/http-client.js';
import { startServiceProcess } from '../support/service-process.js';
import { count, median, percentile, quick, took } from './support/figures.js';
import { underLoad } from './support/load.js';
import { issueKey, registerMedia } from './support/media.js';
import { processorSeconds } from './support/processor.js';

/*
 * What sealing costs the service: PUT speaker-face-match over HTTP, durable, by 64 clients on 64 videos; replaying the log,
 * and building the read models from it; and the size of the log. Two services, one of which stores events in clear, are
 * under the same load at the same time, so that whatever else the machine does is shared; the logs are read by turns. `node dist/tests/benchmarks/sealed-events.js [rounds]`
 */

const rounds = count(0, 20, 2);
const warmUp = quick ? 1 : 3;
const milliseconds = quick ? 300 : 2_000;
const videos = 64;
const scriptAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const serve = scriptAt('./unsealed/serve.js');
const clearly = scriptAt('./unsealed/without-sealing.js');

type Cost = readonly [time: number, processor: number];

const serviceIn = async (folder: string, isSealed: boolean) => {
  const service = await startServiceProcess(folder, {
    script: [serve],
    node: isSealed ? [] : ['--import', clearly],
  });
  const key = await issueKey(service.url, 'bench');
  const client = httpClient(service.url, key);
  for (let number = 0; number < videos; number += 1) await registerMedia(client, `v${number}`);
  /** Time and processor time of each change. */
  const load = async (): Promise<Cost> => {
    const before = processorSeconds(service.pid);
    const load = { port: service.port, key, clients: 64, prefix: 'v', one_video: false, milliseconds };
    const { per_second, changed, failed } = await underLoad(load);
    if (failed > 0) throw new Error(`${failed} requests failed`);
    return [1 / per_second, (processorSeconds(service.pid) - before) / changed];
  };
  return { load, stop: service.stop };
};

/**
 * How much of the speed without sealing is left, by the clock and by processor time: of the medians of all rounds, and
 * the quartiles of each round's own.
 */
const report = (what: string, rounds: ReadonlyArray<readonly [without: Cost, withIt: Cost]>): void => {
  const figure = (index: 0 | 1): string => {
    const kept = rounds.map(([without, withIt]) => without[index] / withIt[index]);
    const whole = median(rounds.map(([cost]) => cost[index])) / median(rounds.map(([, cost]) => cost[index]));
    return `${whole.toFixed(2)} (${percentile(kept, 25).toFixed(2)} to ${percentile(kept, 75).toFixed(2)})`;
  };
  console.log(`${what}: ${figure(0)} by the clock, ${figure(1)} by processor time`);
};

/** Time and processor time of the work, in milliseconds. */
const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
  const before = process.cpuUsage();
  const time = await took(work);
  const { user, system } = process.cpuUsage(before);
  return [time, (user + system) / 1_000];
};

const builtFrom = async (store: EventStore): Promise<void> => {
  const { path, remove } = await temporaryFolder();
  const readModels = openReadModels({ file: join(path, 'read-models.db'), store });
  const head = await succeeded(store.head());
  while (readModels.status().position !== head) await new Promise((resolve) => setTimeout(resolve, 2));
  await readModels.close();
  await remove();
};

const fileIn = (folder: string): string => join(folder, 'events.db');
const eventsIn = (folder: string): number => logExtent(fileIn(folder), null).after;
const bytesOfEvent = (folder: string): number => statSync(fileIn(folder)).size / eventsIn(folder);

/** What each event of a folder's log costs a work; it is opened anew, so that nothing is remembered of an earlier reading. */
const onLog = async (folder: string, isSealed: boolean, work: (store: EventStore) => Promise<unknown>) => {
  const { store, close } = openSqliteEventStore({ file: fileIn(folder) });
  const vault = openKeyVault({ ...defaults, data_dir: folder });
  const [time, processor] = await costOf(() => work(isSealed ? sealedLog(store, vault).store : store));
  vault.close();
  await close();
  return [time / eventsIn(folder), processor / eventsIn(folder)] as const;
};

const [clear, sealed] = [await temporaryFolder(), await temporaryFolder()];
const services = [await serviceIn(clear.path, false), await serviceIn(sealed.path, true)] as const;
const puts: Array<readonly [Cost, Cost]> = [];
for (let round = 0; round < warmUp + rounds; round += 1) {
  const costs = await Promise.all([services[0].load(), services[1].load()]);
  if (round >= warmUp) puts.push(costs);
}
for (const { stop } of services) await stop();
report('PUT speaker-face-match', puts);
const sizes = [bytesOfEvent(clear.path), bytesOfEvent(sealed.path)] as const;
console.log(`log: ${sizes.map(Math.round).join(' → ')} bytes an event, ${(sizes[1] / sizes[0]).toFixed(2)}`);
for (const [what, work] of [
  ['replay', (store: EventStore) => replayLog(store, null)],
  ['read models from the log', builtFrom],
] as const) {
  const costs: Array<readonly [Cost, Cost]> = [];
  for (let round = 0; round < (quick ? 1 : 15); round += 1) {
    costs.push([await onLog(clear.path, false, work), await onLog(sealed.path, true, work)]);
  }
  report(what, costs);
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
await clear.remove();
await sealed.remove();
