import { existsSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../application/ports/log.js';
import type { Config } from '../config/config.js';
import { type EventLog, openEventLog } from './event-log.js';
import { type DataCheck, type DataChecks, startDataChecks } from './data-checks.js';
import { secureDataFolder } from '../runtime/private-files.js';
import { inspectFile } from '../read-models/inspect-file.js';
import { type ReadModels, openReadModels } from '../read-models/open.js';

/** The log and the read models of a service. */
export interface DataFiles {
  readonly events: EventLog;
  readonly readModels: ReadModels;
  readonly close: () => Promise<void>;
}

/** What a check finds in time; `later` is called with what it finds after that. */
const inTime = async ({ soon, damage }: DataCheck, later: (damage: string) => void): Promise<string | null> => {
  const found = await soon;
  if (found !== undefined) return found;
  void damage.then((reason) => reason !== null && later(reason));
  return null;
};

const logDamaged = (file: string, damage: string): string =>
  `the event log ${file} is damaged: ${damage}. It was left as it is: restore it from a backup; ` +
  `"media-analysis audit verify --file ${file}" tells all that is wrong with it`;

const otherLog = (rows: string, mismatch: string): string =>
  `the read models ${rows} are not of this event log: ${mismatch}. Restore the newest copy of the log, or go on with ` +
  `the log as it is with "media-analysis serve --accept-log": the read models are then made anew from it`;

/** Throws when read models are beside a log that is not there. */
const refuseMissingLog = (file: string, rows: string): void => {
  if (existsSync(file) && statSync(file).size > 0) return;
  const { position } = inspectFile(rows);
  if (position === null) return;
  throw new Error(otherLog(rows, `they have seen the events up to position ${position}, but there is no log ${file}`));
};

/** So long a start waits to learn whether the log is the one of the read models; until then these answer nothing. */
const longestComparison = 5_000;

/** Rejects when the store answers, and does not hold what the read models were made from. */
const refuseOtherLog = async ({ store, trouble }: EventLog, readModels: ReadModels, rows: string): Promise<void> => {
  if (E.isLeft(await store.head()())) return;
  const time = setTimeout(longestComparison, null, { ref: false });
  const mismatch = await Promise.race([readModels.mismatch, time]);
  if (mismatch !== null) throw new Error(otherLog(rows, mismatch));
  const reason = trouble();
  if (reason !== null) throw new Error(reason);
};

/**
 * Opens the log and the read models once they are checked. Rejects with what to do when the log is damaged, or is not
 * the one that the read models were made from; damaged read models are made anew.
 */
export const openDataFiles = async (
  config: Config,
  log: Log,
  checks: DataChecks = startDataChecks(config),
): Promise<DataFiles> => {
  const { log: file, rows } = checks.files;
  const stopChecks = (): void => [checks.log, checks.rows].forEach(({ stop }) => stop());
  const closing: Array<() => Promise<void>> = [];
  const close = async (): Promise<void> => {
    stopChecks();
    for (const end of closing.splice(0).toReversed()) await end();
  };
  let refuse: (damage: string) => void = constVoid;
  let makeAnew: (damage: string) => void = constVoid;
  try {
    secureDataFolder(config.data_dir, log);
    const [logDamage, damage] = await Promise.all([
      inTime(checks.log, (found) => refuse(logDamaged(file, found))),
      inTime(checks.rows, (found) => makeAnew(found)),
    ]);
    if (logDamage !== null) throw new Error(logDamaged(file, logDamage));
    if (config.event_store === 'sqlite' && !config.accept_log && damage === null) refuseMissingLog(file, rows);
    const events = await openEventLog(config, log);
    closing.push(events.close);
    refuse = (reason) => {
      log.error(reason);
      events.refuse(reason);
    };
    const { store } = events;
    const readModels = openReadModels({ file: rows, store, log, acceptLog: config.accept_log, damage });
    closing.push(readModels.close);
    makeAnew = readModels.rebuild;
    await refuseOtherLog(events, readModels, rows);
    return { events, readModels, close };
  } catch (error) {
    await close();
    throw error;
  }
};
