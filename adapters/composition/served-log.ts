import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { storedTypes } from '../../domain/event-catalogue.js';
import { outsidePrefix } from '../../domain/kernel/outside-streams.js';
import type { EventStoreServerConfig } from '../config/eventstore.js';
import type { SealedStore } from '../event-store/sealed/sealed-store.js';
import { type EventRow, toStoredEvent } from '../event-store/sqlite/event-row.js';
import type { EventLog } from '../event-store/sqlite/open.js';

/** An event as a client wants to append it. */
interface Offered {
  readonly id: string;
  readonly type: string;
}

const withoutVersion = (type: string): string => type.replace(/\.v\d+$/, '');

const ownTypes = new Set(storedTypes.map(withoutVersion));

/** Ids of the service's follow-up events derive from their causes; nobody else may take one first. */
const isDerived = (id: string): boolean => id[14] === '5';

/** What may be appended beside the service's own events, so that none of its readers can be misled or stopped. */
const refuseInside = (stream: string, events: ReadonlyArray<Offered>): string | null => {
  if (!stream.startsWith(outsidePrefix))
    return `only streams whose names begin with ${outsidePrefix} can be written here`;
  const own = events.find(({ type }) => ownTypes.has(withoutVersion(type)));
  if (own !== undefined) return `${own.type} is an event of the service itself`;
  return events.some(({ id }) => isDerived(id)) ? 'UUIDs of version 5 are kept for the service itself' : null;
};

const pairOf = async ({ cert_file, key_file }: { readonly cert_file: string; readonly key_file: string }) => {
  const [cert, key] = [await readFile(cert_file, 'utf8'), await readFile(key_file, 'utf8')];
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Error(`${cert_file} and ${key_file} are not a certificate and its key in PEM form`, { cause });
  }
  return { cert, key };
};

/** Metadata with a fact more, and otherwise letter by letter as it is stored. */
const withFact = (metadata: string, fact: string): string =>
  metadata === '{}' ? `{"${fact}":true}` : `${metadata.slice(0, -1)},"${fact}":true}`;

/** A row as clients read it: what is sealed in clear, what was erased without data, which its metadata says. */
const openRow =
  ({ openPatiently }: SealedStore, isEnding: () => boolean) =>
  async (row: EventRow): Promise<EventRow> => {
    const [position, stream, revision, id, type, data, metadata] = row;
    if (!data.startsWith('{"sealed":')) return row;
    const [event] = (await openPatiently([toStoredEvent(row)], isEnding)) ?? [];
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

/** Offers the embedded log to clients of EventStoreDB. Rejects when a file cannot be read or the port be had. */
export const serveEmbeddedLog = async (
  log: EventLog,
  sealed: SealedStore,
  config: EventStoreServerConfig,
  isEnding: () => boolean,
) => {
  const { startEventStoreDbServer } = await import('../event-store/eventstoredb-server/start-server.js');
  const { host, port, credentials, tls, writable } = config;
  return startEventStoreDbServer({
    log,
    open: openRow(sealed, isEnding),
    host,
    port,
    credentials,
    tls: tls === null ? null : await pairOf(tls),
    refuseAppend: writable ? refuseInside : () => 'this log is served for reading only',
    mayChangeGroups: writable,
    leader: () => null,
  });
};
