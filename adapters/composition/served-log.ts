import { readFile } from 'node:fs/promises';
import type { EventStoreServerConfig } from '../config/eventstore.js';
import type { SealedStore } from '../event-store/sealed/sealed-store.js';
import { type EventRow, toStoredEvent } from '../event-store/sqlite/read.js';
import type { EventLog } from '../event-store/sqlite/open.js';

const pairOf = async ({ cert_file, key_file }: { readonly cert_file: string; readonly key_file: string }) => ({
  cert: await readFile(cert_file, 'utf8'),
  key: await readFile(key_file, 'utf8'),
});

/** The stored metadata, byte for byte, with one more field. */
const withFact = (metadata: string, fact: string): string =>
  metadata === '{}' ? `{"${fact}":true}` : `${metadata.slice(0, -1)},"${fact}":true}`;

/** A row as clients read it: sealed data in clear text, erased events without data and marked in their metadata. */
const openRow =
  ({ openWithRetry }: SealedStore, isEnding: () => boolean) =>
  async (row: EventRow): Promise<EventRow> => {
    const [position, stream, revision, id, type, data, metadata] = row;
    if (!data.startsWith('{"sealed":')) return row;
    const [event] = (await openWithRetry([toStoredEvent(row)], isEnding)) ?? [];
    if (event === undefined) return row;
    const facts = event.withheld === undefined ? metadata : withFact(metadata, event.withheld);
    return [
      position,
      stream,
      revision,
      id,
      type,
      event.withheld === undefined ? JSON.stringify(event.data) : '{}',
      facts,
    ];
  };

/** Serves the embedded log to EventStoreDB clients. Rejects if a file cannot be read or the port is not available. */
export const serveEmbeddedLog = async (
  log: EventLog,
  sealed: SealedStore,
  config: EventStoreServerConfig,
  isEnding: () => boolean,
) => {
  const { startEventStoreDbServer } = await import('../eventstoredb-endpoint/start-server.js');
  const { host, port, credentials, tls } = config;
  return startEventStoreDbServer({
    log,
    open: openRow(sealed, isEnding),
    host,
    port,
    credentials,
    tls: tls === null ? null : await pairOf(tls),
  });
};
