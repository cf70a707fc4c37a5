import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { type CopyProgress, copyLog } from '../../application/copy-log.js';
import type { Checkpoints } from '../../application/ports/checkpoints.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { isConnectionString, readAddress } from '../event-store/eventstoredb/address.js';
import { openSqliteEventStore } from '../event-store/sqlite/open.js';
import { systemIds } from '../runtime/ids.js';
import { pinoLog } from '../log/pino-log.js';

interface OpenedLog {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly close: () => Promise<void>;
}

const open = async (place: string): Promise<OpenedLog> => {
  if (!isConnectionString(place)) return openSqliteEventStore({ file: place });
  const address = readAddress(place);
  if (E.isLeft(address)) throw new Error(`the connection string is wrong: ${address.left}`);
  const { openEventStoreDb } = await import('../event-store/eventstoredb/open.js');
  const opened = openEventStoreDb(address.right, pinoLog('warn'));
  await opened.checked().catch(async (trouble: unknown) => {
    await opened.close();
    throw trouble;
  });
  return opened;
};

const isMissingFile = (place: string): boolean => !isConnectionString(place) && !existsSync(place);

const isFolder = async (place: string): Promise<boolean> => existsSync(place) && (await stat(place)).isDirectory();

/** Copies a log from one place to another: files of embedded logs, or connection strings of EventStoreDB servers. */
export const copyEvents = async (from: string, to: string, onProgress: (progress: CopyProgress) => void) => {
  if (isMissingFile(from)) throw new Error(`there is no file ${from}`);
  if (await isFolder(from)) throw new Error(`${from} is a folder: the log is the file events.db in it`);
  if (from === to) throw new Error('a log cannot be copied onto itself');
  const source = await open(from);
  try {
    const target = await open(to);
    try {
      const copied = await copyLog({
        from: source.store,
        to: target.store,
        digest: systemIds.digest,
        onProgress,
        checkpoints: { from: source.checkpoints, to: target.checkpoints },
      });
      if (E.isRight(copied)) return { ...copied.right, streams: copied.right.streams.size };
      const { _tag, reason } = copied.left;
      throw new Error(_tag === 'AnotherLog' ? `the target is not a copy of the source: ${reason}` : reason);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};
