import { join } from 'node:path';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { runningInferences } from '../../application/name-inference/name-inference.js';
import { endpoints } from '../../adapters/http/create-app.js';
import type { Endpoint } from '../../adapters/http/endpoint.js';
import { providerDocuments } from '../../adapters/import/provider-documents.js';
import { embeddedNameModel } from '../../adapters/name-model/embedded/embedded-name-model.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import { silentLog } from '../support/event-store/silent-log.js';
import { openTemporarySqlite, temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { credits } from '../support/credits.js';
import { manualTimers } from '../support/realtime/manual-timers.js';
import { realtimeProcess } from '../support/realtime/process.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import { groundAtOnce } from '../support/ground-at-once.js';

export type Described = Endpoint;

/** Every endpoint with the codec of its body, from the same table as the service's routes. */
export const endpointTable = async (): Promise<ReadonlyArray<Described>> => {
  const store = await openTemporarySqlite();
  const { path, remove } = await temporaryFolder();
  const { app, realtime } = realtimeProcess(store.store, manualTimers());
  const readModels = openReadModels({ file: join(path, 'read-models.db'), store: store.store, log: silentLog });
  const threads = startThreads();
  const [model, documents] = [embeddedNameModel(threads), providerDocuments(threads)];
  const price = { base: credits('1'), per_1k_tokens: credits('1') };
  const table = endpoints(
    { app, queries: readModels.queries, upToDate: () => TE.right(undefined), keyRevoked: constVoid },
    {
      inference: { model, ground: groundAtOnce, price, timeout_seconds: 1, running: runningInferences() },
      documents,
      realtime,
      address: { public_url: null },
    },
  );
  await Promise.all([threads.close(), readModels.close()]);
  await store.close();
  await remove();
  return table;
};
