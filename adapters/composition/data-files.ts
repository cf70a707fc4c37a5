import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../application/ports/log.js';
import type { Config } from '../config/config.js';
import { type EventLog, openEventLog } from './event-log.js';
import { type DataCheck, logFileIn, startLogCheck } from './data-checks.js';
import { secureDataFolder } from '../runtime/private-files.js';
import { inspectFile } from '../read-models/inspect.js';
import { type ReadModels, openReadModels } from '../read-models/open.js';

/** The finding of a check, if it comes in time; `later` receives a finding that comes after that. */
const inTime = async ({ soon, damage }: DataCheck, later: (damage: string) => void): Promise<string | null> => {
  const found = await soon;
  if (found !== undefined) return found;
  void damage.then((reason) => reason !== null && later(reason));
  return null;
};

const logDamaged = (file: string, damage: string): string =>
  `the event log ${file} is damaged: ${damage}. The file was not changed. Restore it from a backup; ` +
  `"media-analysis audit verify --file ${file}" lists all faults`;

const otherLog = (rows: string, mismatch: string): string =>
  `the read models ${rows} do not belong to this event log: ${mismatch}. Restore the newest copy of the log, or go on with ` +
  `the log as it is with "media-analysis serve --accept-log": the read models are then rebuilt from it`;

/** Throws if there are read models but no log. */
const refuseMissingLog = (file: string, rows: string): void => {
  if (existsSync(file) && statSync(file).size > 0) return;
  const { position } = inspectFile(rows);
  if (position === null) return;
  throw new Error(otherLog(rows, `they contain the events up to position ${position}, but there is no log ${file}`));
};

/**
 * How long a start waits to find out whether the read models were made from this log. Until then they answer no
 * queries.
 */
const maxComparisonMs = 5_000;

/** Rejects if the store answers and does not contain the events that the read models were made from. */
const refuseOtherLog = async ({ store, problem }: EventLog, readModels: ReadModels, rows: string): Promise<void> => {
  if (E.isLeft(await store.head()())) return;
  const time = setTimeout(maxComparisonMs, null, { ref: false });
  const mismatch = await Promise.race([readModels.mismatch, time]);
  if (mismatch !== null) throw new Error(otherLog(rows, mismatch));
  const reason = problem();
  if (reason !== null) throw new Error(reason);
};

/**
 * Opens the log and the read models after they are checked. Rejects, saying what to do, if the log is damaged or is not
 * the one that the read models were made from. Damaged read models are rebuilt.
 */
export const openDataFiles = async (config: Config, log: Log, check: DataCheck = startLogCheck(config)) => {
  const [file, rows] = [logFileIn(config.data_dir), join(config.data_dir, 'read-models.db')];
  const closing: Array<() => Promise<void>> = [];
  const close = async (): Promise<void> => {
    check.stop();
    for (const end of closing.splice(0).toReversed()) await end();
  };
  let refuse: (damage: string) => void = constVoid;
  try {
    secureDataFolder(config.data_dir, log);
    const damage = await inTime(check, (found) => refuse(logDamaged(file, found)));
    if (damage !== null) throw new Error(logDamaged(file, damage));
    if (config.event_store === 'sqlite' && !config.accept_log) refuseMissingLog(file, rows);
    const events = await openEventLog(config, log);
    closing.push(events.close);
    refuse = (reason) => {
      log.error(reason);
      events.refuse(reason);
    };
    const { store } = events;
    const readModels = openReadModels({ file: rows, store, log, acceptLog: config.accept_log });
    closing.push(readModels.close);
    await refuseOtherLog(events, readModels, rows);
    return { events, readModels, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The log and the read models of a service. */
export type DataFiles = Awaited<ReturnType<typeof openDataFiles>>;
