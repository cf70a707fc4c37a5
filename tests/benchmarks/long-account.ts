import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { charged } from '../support/credit-events.js';
import { expectOk } from '../support/e2e/media.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { httpClient } from '../support/http-client.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { at } from '../support/values.js';
import { median, quick, took, whole } from './support/figures.js';
import { residentOf } from './support/process-usage.js';

/* An account with a great many charges: the first command after a restart, its memory, and the restart itself. */

const events = quick ? 5_000 : 1_000_000;
const perAppend = 500;
const restarts = quick ? 1 : 5;

const metadata = {
  actor: { key_id: 'bench', account_id: 'bench' },
  correlation_id: 'bench',
  causation_id: 'bench',
  schema_version: 1,
  recorded_at: at(0),
};

const { path, remove } = await temporaryFolder();
const { store, close } = openSqliteEventStore({ file: join(path, 'events.db') });
const filled = await took(async () => {
  for (let first = 0; first < events; first += perAppend) {
    const some = Array.from({ length: perAppend }, (_, index) => {
      const { type, data } = charged(`c${first + index}`, '0.000001', '1', first + index);
      return { id: randomUUID(), type: `${type}.v1`, data, metadata };
    });
    await succeeded(store.append('creditAccount-busy', first === 0 ? 'no_stream' : first - 1, some));
  }
});
await close();
console.log(`${whole(events)} charges on one account, written in ${whole(filled / 1_000)} s`);

interface Measured {
  readonly ready_ms: number;
  readonly resident: number;
  readonly first_ms: number;
  readonly more: number;
  readonly second_ms: number;
}

const measure = async (): Promise<Measured> => {
  const service = await startServiceProcess(path, { patience_ms: 600_000 });
  const client = httpClient(service.url, adminKey);
  const { ready_ms } = service;
  const resident = residentOf(service.pid);
  for (const account_id of ['busy', 'other']) await client.post('/v1/accounts', { account_id });
  await expectOk(client.post('/v1/accounts/other/credits', { amount: 1, reason: 'to warm up' }));
  await setTimeout(500);
  const before = residentOf(service.pid);
  const grant = () => expectOk(client.post('/v1/accounts/busy/credits', { amount: 1, reason: 'the first command' }));
  const first_ms = await took(grant);
  const more = residentOf(service.pid) - before;
  const second_ms = await took(grant);
  // Snapshots are written in another thread.
  await setTimeout(2_000);
  await service.stop();
  return { ready_ms, resident, first_ms, more, second_ms };
};

const row = (all: ReadonlyArray<Measured>) => ({
  'ready after ms': whole(median(all.map(({ ready_ms }) => ready_ms))),
  'RSS MB': whole(median(all.map(({ resident }) => resident))),
  'first command ms': whole(median(all.map(({ first_ms }) => first_ms))),
  'MB more': whole(median(all.map(({ more }) => more))),
  'second command ms': whole(median(all.map(({ second_ms }) => second_ms))),
});

const empty = await measure();
const later: Measured[] = [];
for (let run = 0; run < restarts; run += 1) later.push(await measure());
console.table({ 'read models and snapshot made': row([empty]), 'after a restart': row(later) });
await remove();
