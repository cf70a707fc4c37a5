import * as E from 'fp-ts/lib/Either.js';
import type { Log } from '../../application/ports/log.js';
import type { Address } from '../event-store/eventstoredb/address.js';
import type { EventStoreDb } from '../event-store/eventstoredb/open.js';

/** A log on a server, for a command. Rejects if it cannot be reached, or only with another connection string. */
export const openServerLog = async (
  address: Address,
  log: Log,
  options?: { readonly keepsHashes: boolean },
): Promise<EventStoreDb> => {
  const { openEventStoreDb } = await import('../event-store/eventstoredb/open.js');
  const opened = openEventStoreDb(address, log, options);
  try {
    await opened.checked();
    const head = await opened.store.head()();
    if (E.isLeft(head)) throw new Error(opened.health.trouble() ?? head.left.reason);
    return opened;
  } catch (reason) {
    await opened.close();
    throw reason;
  }
};

/**
 * Rejects if the server is the protocol endpoint of this service: it decrypts what it sends, while the hashes cover what
 * is stored.
 */
export const refuseDecrypted = async ({ decrypts }: EventStoreDb): Promise<void> => {
  if (await decrypts())
    throw new Error(
      'this is the protocol endpoint of the service, which sends personal data in clear text: use the file of the log, events.db in its DATA_DIR, or a backup of it',
    );
};
