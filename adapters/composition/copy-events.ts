import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type CopyProgress, copyLog } from '../../application/log-copy/copy-log.js';
import { orThrow } from '../../application/failures.js';
import type { Checkpoints, EventStore } from '../../application/ports/event-store.js';
import { sealCopy } from '../../application/log-copy/seal-copy.js';
import type { Config } from '../config/config.js';
import { isConnectionString, readAddress } from '../event-store/eventstoredb/address.js';
import { openSqliteEventStore } from '../event-store/sqlite/open.js';
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

/** Keeps what the copy has opened until the copy ends. */
type Keep = <Opened extends { readonly close: () => unknown }>(opened: Opened) => Opened;

/** Checks the places, and closes what the copy has opened. */
const copying = async <Result>(from: string, to: string, copy: (keep: Keep) => Promise<Result>): Promise<Result> => {
  if (isMissingFile(from)) throw new Error(`there is no file ${from}`);
  if (await isFolder(from)) throw new Error(`${from} is a folder: the log is the file events.db in it`);
  if (from === to) throw new Error('a log cannot be copied onto itself');
  const kept: Array<{ readonly close: () => unknown }> = [];
  try {
    return await copy((opened) => {
      kept.push(opened);
      return opened;
    });
  } finally {
    for (const { close } of kept.toReversed()) await close();
  }
};

/** Copies a log from one place to another: files of embedded logs, or connection strings of EventStoreDB servers. */
export const copyEvents = (from: string, to: string, onProgress: OnProgress) =>
  copying(from, to, async (keep) => {
    const [source, target] = [keep(await open(from, true)), keep(await open(to, true))];
    const checkpoints = { from: source.checkpoints, to: target.checkpoints };
    return copyLog({ from: source.store, to: target.store, checkpoints, onProgress });
  });

/** Where the keys of a log are: beside its file, or in the data folder if the log is on a server. */
const keysOf = (place: string, { data_dir }: Keys): string => (isConnectionString(place) ? data_dir : dirname(place));

/**
 * Copies a log with personal data in clear text into a log in which it is sealed. The keys are stored beside the
 * target.
 */
export const sealEvents = (from: string, to: string, config: Keys, onProgress: OnProgress) =>
  copying(from, to, async (keep) => {
    const reading = keep(openKeyVaultToRead(keysOf(from, config), config.key_vault));
    const source = keep(await open(from, true));
    const clear = sealedLog(source.store, reading);
    if (orThrow(await clear.keys.isLogSealed()()))
      throw new Error('this log is already encrypted: use events copy without --seal-personal');
    const vault = keep(openKeyVault({ ...config, data_dir: keysOf(to, config) }));
    const { store: stored, checkpoints } = keep(await open(to, false));
    return sealCopy({
      from: clear.store,
      to: sealedLog(stored, vault).store,
      stored,
      checkpoints: { from: source.checkpoints, to: checkpoints },
      onProgress,
    });
  });
