import * as E from 'fp-ts/lib/Either.js';
import type { sealedLog as sealedLogOfService } from '../../../adapters/composition/sealed-log.js';
import { sealedStore } from '../../../adapters/event-store/sealed/sealed-store.js';
import { subjectKeys } from '../../../adapters/event-store/sealed/subject-keys.js';

/* What `composition/sealed-log.ts` exports, without sealing: for the service that benchmarks compare with. */

export const sealedLog: typeof sealedLogOfService = (store, vault) => ({
  store,
  keys: sealedStore(store, subjectKeys({ vault, store })).keys,
  openWithRetry: (events) => Promise.resolve(events),
  unreadable: () => Promise.resolve(E.right(null)),
});
