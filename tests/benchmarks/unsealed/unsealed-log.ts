import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { sealedLog as sealedLogOfService } from '../../../adapters/composition/sealed-log.js';
import { personalKeys } from '../../../adapters/event-store/sealed/personal-keys.js';
import { erasuresOf } from '../../../adapters/event-store/sealed/erasures.js';
import { keyRing } from '../../../adapters/event-store/sealed/key-ring.js';

/* What `composition/sealed-log.ts` exports, without sealing: for the service that benchmarks compare with. */

export const sealedLog: typeof sealedLogOfService = (store, vault) => ({
  store,
  open: (events) => TE.right(events)(),
  openWithRetry: (events) => Promise.resolve(events),
  forget: constVoid,
  keys: personalKeys(store, keyRing({ vault, store, erasures: erasuresOf(store) }), constVoid),
});

export const openedWork = <Work>(work: Work): Work => work;
