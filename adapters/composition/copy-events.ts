import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Answer,
  type Copied,
  type CopyProgress,
  type Copying,
  copyLog,
} from '../../application/log-copy/copy-log.js';
import type { Checkpoints, EventStore } from '../../application/ports/event-store.js';
import { isSealedLog, sealCopy } from '../../application/log-copy/seal-copy.js';
import type { Config } from '../config/config.js';
import { isConnectionString, readAddress } from '../event-store/eventstoredb/address.js';
import { subjectsOfKey } from '../event-store/sealed/subject-keys.js';
import { isSealed } from '../event-store/sealed/sealed-data.js';
import { openSqliteEventStore } from '../event-store/sqlite/open.js';
import { systemIds } from '../runtime/ids.js';
import { pinoLog } from '../log/pino-log.js';
import { openKeyVault, openKeyVaultToRead } from './vault-service.js';
import { sealedLog } from '../event-store/sealed/sealed-store.js';
import { openServerLog, refuseDecrypted } from './audit-source.js';

interface OpenedLog {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly close: () => Promise<void>;
}

type Keys = Pick<Config, 'data_dir' | 'key_vault'>;
type OnProgress = (progress: CopyProgress) => void;

/** With `keepsHashes`, appended events keep the hashes that they have. */
const open = async (place: string, keepsHashes: boolean): Promise<OpenedLog> => {
  if (!isConnectionString(place)) return openSqliteEventStore({ file: place, keepsHashes });
  const address = readAddress(place);
  if (E.isLeft(address)) throw new Error(`the connection string is wrong: ${address.left}`);
  const opened = await openServerLog(address.right, pinoLog('warn'), { keepsHashes });
  try {
    await refuseDecrypted(opened);
    return opened;
  } catch (reason) {
    await opened.close();
    throw reason;
  }
};

const isMissingFile = (place: string): boolean => !isConnectionString(place) && !existsSync(place);

const isFolder = async (place: string): Promise<boolean> => existsSync(place) && (await stat(place)).isDirectory();

const copied = async (
  from: string,
  to: string,
  copy: (logs: Pick<Copying, 'from' | 'to' | 'checkpoints'>) => Promise<Answer<Copied>>,
  { keepsHashes, check }: { readonly keepsHashes: boolean; readonly check: (source: EventStore) => Promise<void> },
) => {
  if (isMissingFile(from)) throw new Error(`there is no file ${from}`);
  if (await isFolder(from)) throw new Error(`${from} is a folder: the log is the file events.db in it`);
  if (from === to) throw new Error('a log cannot be copied onto itself');
  const source = await open(from, true);
  try {
    await check(source.store);
    const target = await open(to, keepsHashes);
    try {
      const checkpoints = { from: source.checkpoints, to: target.checkpoints };
      const answer = await copy({ from: source.store, to: target.store, checkpoints });
      if (E.isRight(answer)) return { ...answer.right, streams: answer.right.streams.size };
      const { _tag, reason } = answer.left;
      throw new Error(_tag === 'AnotherLog' ? `the target is not a copy of the source: ${reason}` : reason);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Copies a log from one place to another: files of embedded logs, or connection strings of EventStoreDB servers. */
export const copyEvents = (from: string, to: string, onProgress: OnProgress) =>
  copied(from, to, (logs) => copyLog({ ...logs, digest: systemIds.digest, onProgress }), {
    keepsHashes: true,
    check: () => Promise.resolve(),
  });

/** Where the keys of a log are: beside its file, or in the data folder if the log is on a server. */
const keysOf = (place: string, { data_dir }: Keys): string => (isConnectionString(place) ? data_dir : dirname(place));

const refuseSealed = async (source: EventStore): Promise<void> => {
  const found = await isSealedLog(source, isSealed);
  if (E.isLeft(found)) throw new Error(found.left.reason);
  if (found.right) throw new Error('this log is already encrypted: use events copy without --seal-personal');
};

/** The subjects with whose keys stored data is encrypted; null if it is not. */
const sealedFor = (data: unknown) => (isSealed(data) ? subjectsOfKey(data.key) : null);

/**
 * Copies a log with personal data in clear text into a log in which it is sealed. The keys are stored beside the
 * target.
 */
export const sealEvents = async (from: string, to: string, config: Keys, onProgress: OnProgress) =>
  copied(
    from,
    to,
    async (logs) => {
      const reading = openKeyVaultToRead(keysOf(from, config), config.key_vault);
      const vault = openKeyVault({ ...config, data_dir: keysOf(to, config) });
      try {
        const stored = logs.to;
        const { store, keys } = sealedLog(stored, vault);
        const opened = sealedLog(logs.from, reading).store;
        const sealed = { ...logs, from: opened, storedSource: logs.from, to: store, stored, keys, sealedFor };
        return await sealCopy({ ...sealed, digest: systemIds.digest, onProgress });
      } finally {
        vault.close();
        reading.close();
      }
    },
    { keepsHashes: false, check: refuseSealed },
  );
