import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
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
import { openServerLog, refuseDecrypted } from './audit-log.js';
import type { CommandNeeds } from '../cli/surroundings.js';
import { configured } from './command-configuration.js';

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

interface Options {
  readonly from: string;
  readonly to: string;
  readonly sealPersonal?: boolean;
}

/** What still contains personal data in clear text once a sealed copy is in use. */
const whatToDestroy = (from: string): ReadonlyArray<string> => [
  'Every personal event of the copy is sealed, and its hashes and seals hold. Keep its keys: without them it is lost.',
  'Once the service runs on the copy, destroy what holds the same in clear, for it can be erased nowhere else:',
  `  ${from}${from.includes('://') ? '' : `, ${from}-wal and ${from}-shm`}`,
  '  backups of it, read-models.db beside it, and exports and marts made of it',
];

const copy = ({ env, print, watched }: CommandNeeds): Command =>
  new Command('copy')
    .description('copy a whole log into an empty store, or continue an interrupted copy')
    .requiredOption('--from <log>', 'the file of an embedded log, or a connection string of an EventStoreDB')
    .requiredOption('--to <log>', 'where to, likewise; a file that is missing is created')
    .option('--seal-personal', 'seal what is personal, in a copy of a log from before events were sealed')
    .addHelpText('after', '\nThe service must not write to either meanwhile. Both are compared at the end.')
    .action(async ({ from, to, sealPersonal = false }: Options) => {
      const { copied, found, events } = await watched((onProgress) => {
        const show: OnProgress = (done) => onProgress({ events: done.found + done.copied, share: null });
        return sealPersonal ? sealEvents(from, to, configured(env), show) : copyEvents(from, to, show);
      });
      if (found > 0) print(`${found} events were there already.`);
      print(`Copied ${copied} events. Both logs hold the same ${events} events.`);
      if (sealPersonal) whatToDestroy(from).forEach(print);
    });

/** `media-analysis events`: commands on the whole log. */
export const eventsCommand = (needs: CommandNeeds): Command =>
  new Command('events').description('the log of all events').addCommand(copy(needs));
