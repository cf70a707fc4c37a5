import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { openDataFiles } from '../../../adapters/composition/data-files.js';
import { silentLog } from '../event-store/silent-log.js';
import { allAnswers, configOf } from './data-folder.js';

/*
 * A process that opens damaged data folders as a service does, runs all queries, and reports the result:
 * `right`, `refused` with the reason, or `wrong`. Libraries that end the process end this one.
 */

const Request = t.type({ folder: t.string, expected: t.string });

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

const probe = async ({ folder, expected }: t.TypeOf<typeof Request>) => {
  try {
    const opened = await openDataFiles(configOf(folder), silentLog);
    try {
      const answers = await healedAnswers(opened);
      return answers === expected
        ? { outcome: 'right', reason: '' }
        : { outcome: 'wrong', reason: answers.slice(0, 200) };
    } finally {
      await opened.close();
    }
  } catch (error) {
    return { outcome: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
};

process.on('message', (message) => {
  if (Request.is(message)) void probe(message).then((answer) => process.send?.(answer));
});
