import * as E from 'fp-ts/lib/Either.js';
import { openEventLog } from '../../../adapters/composition/event-log.js';
import type { Config } from '../../../adapters/config/config.js';
import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { systemClock } from '../../../adapters/runtime/clock.js';
import { systemIds } from '../../../adapters/runtime/ids.js';
import { sealLog } from '../../../application/audit/verify-log.js';
import { appendCopy, succeeded, silentLog } from '../event-store/stores.js';

/**
 * Copies a service's log into a file as the service wrote it before events were sealed: personal data in plain text,
 * chained by hashes, with audit seals at the end and, if wanted, in the middle.
 */
export const writeUnencryptedLog = async (
  config: Config,
  file: string,
  { sealedInBetween }: { readonly sealedInBetween: boolean },
): Promise<void> => {
  const log = await openEventLog(config, silentLog);
  const { events } = await succeeded(log.store.readAll(null, {}, 100_000));
  await log.close();
  const { store, close } = openSqliteEventStore({ file });
  const seal = async () => {
    const sealed = await sealLog({ store, ids: systemIds, clock: systemClock });
    if (E.isLeft(sealed)) throw new Error(JSON.stringify(sealed.left));
  };
  for (const [index, event] of events.entries()) {
    await appendCopy(store, event);
    if (sealedInBetween && index === Math.floor(events.length / 2)) await seal();
  }
  await seal();
  await close();
};
