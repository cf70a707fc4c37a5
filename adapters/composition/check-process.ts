import * as t from 'io-ts';

/*
 * A process that reads one data file, and tells its parent what is wrong with it. A file that is damaged in its schema
 * makes libsql end the process that reads it: this one, and not the service. It loads what a check needs alone, for a
 * start waits for it.
 */

const strings = t.readonlyArray(t.string);
const Job = t.union([
  t.type({ what: t.keyof({ log: null, 'opening-log': null, 'inspect-log': null }), file: t.string }),
  t.type({
    what: t.literal('read-models'),
    file: t.string,
    layout: t.type({ shape: t.string, tables: t.readonlyArray(t.type({ name: t.string, columns: strings })) }),
  }),
]);
export type Job = t.TypeOf<typeof Job>;

/** Why the log cannot be opened at all; null when it can. */
const openingFault = async (file: string): Promise<string | null> => {
  const { openReadOnly } = await import('../event-store/sqlite/database.js');
  const { createReader } = await import('../event-store/sqlite/reader.js');
  try {
    createReader(openReadOnly(file)).head();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const done = async (job: Job): Promise<unknown> => {
  switch (job.what) {
    case 'log': {
      const { checkLogFile } = await import('../event-store/sqlite/check-log-file.js');
      process.send?.({ started: true });
      return { damage: checkLogFile(job.file) };
    }
    case 'read-models': {
      const { checkReadModelsFile } = await import('../read-models/check-file.js');
      process.send?.({ started: true });
      return { damage: checkReadModelsFile(job.file, job.layout) };
    }
    case 'opening-log':
      return { damage: await openingFault(job.file) };
    case 'inspect-log': {
      const { inspectFile } = await import('../event-store/sqlite/inspect-file.js');
      return { faults: inspectFile(job.file, (progress) => process.send?.({ progress })) };
    }
  }
};

process.once('message', (job) => {
  if (Job.is(job)) void done(job).then((answer) => process.send?.(answer, () => process.exit()));
});
