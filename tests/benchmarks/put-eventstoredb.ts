import { fileURLToPath } from 'node:url';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { addressOf } from '../support/event-store/address-of.js';
import { startServerProcess } from '../support/event-store/eventstoredb-process.js';
import { freshStream, newEvent } from '../support/event-store/events.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { httpClient } from '../support/http-client.js';
import { type ServiceProcess, startProgram, startServiceProcess } from '../support/service-process.js';
import { median, quick, whole } from './support/figures.js';
import { underLoad } from './support/load.js';
import { issueKey, registerMedia } from './support/media.js';
import { processorSeconds } from './support/processor.js';

/*
 * Durable PUT speaker-face-match on EventStoreDB, which is our protocol server in a process of its own, beside the same
 * on the embedded log, beside the least that a PUT over HTTP can be on that server, and beside the appends that the adapter
 * does alone, by turns in one run. What is compared is the processor time of the service without its server, and
 * throughput with the appends.
 */

const rounds = quick ? 1 : 7;
const milliseconds = quick ? 300 : 2_000;
const clients = quick ? 8 : 64;

const { path, remove } = await temporaryFolder();
const server = await startServerProcess({ file: `${path}/served.db` });

const startOn = async (name: string, eventStore: string) => {
  const service = await startServiceProcess(`${path}/${name}`, { env: { EVENT_STORE: eventStore } });
  const key = await issueKey(service.url, 'bench');
  const client = httpClient(service.url, key);
  for (let number = 0; number < clients; number += 1) await registerMedia(client, `v${number}`);
  return { service, key };
};

interface Served {
  readonly service: ServiceProcess;
  readonly key: string;
}

const script = fileURLToPath(new URL('./peers/plain-appends.js', import.meta.url));
const services = {
  embedded: await startOn('embedded', 'sqlite'),
  eventstoredb: await startOn('eventstoredb', server.url),
  plain: { service: await startProgram({ script: [script, server.url] }), key: 'none' },
};
const names = ['embedded', 'eventstoredb', 'plain'] as const;
type Name = (typeof names)[number];

/** Appends a second by the same number of writers, each with its own stream and one durable event at a time. */
const appendsPerSecond = async (): Promise<number> => {
  const { store, close } = openEventStoreDb(addressOf(server.url), silentLog);
  const start = performance.now();
  const end = start + milliseconds;
  let appended = 0;
  const write = async (stream: string): Promise<void> => {
    for (let revision = -1; performance.now() < end; revision += 1) {
      const event = newEvent({ data: { text: 'x'.repeat(200) } });
      await succeeded(store.append(stream, revision < 0 ? 'no_stream' : revision, [event]));
      appended += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, () => write(freshStream())));
  const rate = (appended * 1_000) / (performance.now() - start);
  await close();
  return rate;
};

/** Changes a second, and milliseconds of the service's processor time for each. */
const putsOf = async ({ service, key }: Served) => {
  const before = processorSeconds(service.pid);
  const load = { port: service.port, key, clients, prefix: 'v', one_video: false, milliseconds };
  const { per_second, changed, failed } = await underLoad(load);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return { per_second, processor: ((processorSeconds(service.pid) - before) * 1_000) / changed };
};

const figures: Array<{ appends: number; times: number; share: number; plainShare: number } & Record<Name, number>> = [];
for (let round = quick ? 1 : 0; round <= rounds; round += 1) {
  const appends = await appendsPerSecond();
  const [embedded, eventstoredb] = [await putsOf(services.embedded), await putsOf(services.eventstoredb)];
  const plain = await putsOf(services.plain);
  const lines = Object.entries({ embedded, eventstoredb, plain }).map(
    ([name, { per_second, processor }]) => `${name} ${whole(per_second)} PUTs/s, ${processor.toFixed(2)} ms`,
  );
  console.log(`${whole(appends)} appends/s; ${lines.join('; ')}`);
  // The first round warms up.
  if (round > 0)
    figures.push({
      appends,
      embedded: embedded.processor,
      eventstoredb: eventstoredb.processor,
      plain: plain.processor,
      times: eventstoredb.processor / embedded.processor,
      share: eventstoredb.per_second / appends,
      plainShare: plain.per_second / appends,
    });
}
const middle = (pick: (figure: (typeof figures)[number]) => number): string => median(figures.map(pick)).toFixed(2);
console.log(
  `PUT speaker-face-match with ${clients} clients, medians of ${rounds}: processor time ${middle(({ eventstoredb }) => eventstoredb)} ms, ` +
    `${middle(({ times }) => times)} of the embedded log's ${middle(({ embedded }) => embedded)} ms, a plain append over HTTP ` +
    `${middle(({ plain }) => plain)} ms; ${middle(({ share }) => share)} of the adapter's own appends, ` +
    `a plain append over HTTP ${middle(({ plainShare }) => plainShare)}`,
);
for (const name of names) await services[name].service.stop();
await server.stop();
await remove();
process.exit(0);
