import type { ReadModelsJob } from './read-models-job.js';

/*
 * A process that reads one data file and reports to its parent what is wrong with it. If the schema of a file is
 * damaged, libsql aborts the process that reads it: this one, and not the service. It loads only what a check needs,
 * because the start of the service waits for it.
 */

const jobsOnLogs = ['log', 'opening-log', 'inspect-log'] as const;
interface LogJob {
  readonly what: (typeof jobsOnLogs)[number];
  readonly file: string;
}
export type Job = LogJob | ReadModelsJob;

const isLogJob = (message: unknown): message is LogJob =>
  typeof message === 'object' &&
  message !== null &&
  'what' in message &&
  jobsOnLogs.some((what) => what === message.what) &&
  'file' in message &&
  typeof message.file === 'string';

/** Codecs are loaded only to check read models: loading them takes a quarter of the start of this process. */
const jobIn = async (message: unknown): Promise<Job | null> => {
  if (isLogJob(message)) return message;
  const { ReadModelsJob } = await import('./read-models-job.js');
  return ReadModelsJob.is(message) ? message : null;
};

/** Why the log cannot be opened; null if it can. */
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

process.once('message', (message) => {
  void jobIn(message).then(async (job) => {
    if (job === null) return;
    const answer = await done(job);
    process.send?.(answer, () => process.exit());
  });
});
