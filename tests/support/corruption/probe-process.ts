import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { openDataFiles } from '../../../adapters/composition/data-files.js';
import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { inspectFile } from '../../../adapters/event-store/sqlite/file.js';
import { verifyLog } from '../../../application/audit/verify-log.js';
import { silentLog } from '../event-store/stores.js';
import { allAnswers, configOf } from './try-faults.js';

/*
 * A process that opens a damaged data folder as a service does, runs all queries, compares the answers with those in a
 * file, and prints the result: `right`, `refused` with the reason, `named` where an audit finds what is wrong with the
 * answers, or `wrong`. Libraries that end the process end this one.
 */

const longestHealing = 20_000;

/** Temporarily refused queries are repeated, because damaged read models are rebuilt. */
const healedAnswers = async (opened: Parameters<typeof allAnswers>[0]): Promise<string> => {
  const end = performance.now() + longestHealing;
  for (;;)
    try {
      return await allAnswers(opened);
    } catch (error) {
      const isPassing = error instanceof Error && /ReadModelsUnavailable|ReadModelBehind/.test(error.message);
      if (!isPassing || performance.now() > end) throw error;
      await setTimeout(20);
    }
};

/** Whether `audit verify` finds a fault in the log. */
const isNamed = async (folder: string): Promise<boolean> => {
  const file = join(folder, 'events.db');
  const inspected = inspectFile(file);
  const { store, close } = openSqliteEventStore({ file });
  const { faults, unhashed } = await verifyLog(store);
  await close();
  return inspected.length + faults.length + unhashed > 0;
};

const answered = async (folder: string, expected: string) => {
  const opened = await openDataFiles(configOf(folder), silentLog);
  try {
    const answers = await healedAnswers(opened);
    return { isRight: answers === expected, reason: answers.slice(0, 200) };
  } catch (error) {
    const stopped = opened.readModels.status().failure;
    throw stopped === null ? error : new Error(stopped.reason, { cause: error });
  } finally {
    await opened.close();
  }
};

const probe = async (folder: string, expected: string) => {
  try {
    const { isRight, reason } = await answered(folder, expected);
    if (isRight) return { outcome: 'right', reason: '' };
    return { outcome: (await isNamed(folder)) ? 'named' : 'wrong', reason };
  } catch (error) {
    return { outcome: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
};

const [folder = '', expectedIn = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await probe(folder, readFileSync(expectedIn, 'utf8'))));
process.exit();
