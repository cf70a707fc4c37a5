import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import { readLog } from '../../application/audit/read-log.js';
import { orThrow } from '../../application/failures.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Config } from '../config/config.js';
import { logFileIn } from './data-checks.js';
import { openEventLog } from './event-log.js';
import { openReadOnly } from '../event-store/sqlite/file.js';
import { eventStoreOver } from '../event-store/sqlite/open.js';
import { pinoLog } from '../log/pino-log.js';
import { type FileContent, currentVersions, inspectFile } from '../read-models/inspect.js';
import { removeUnused } from '../read-models/file.js';
import { openReadModels } from '../read-models/open.js';
import type { CommandNeeds } from '../cli/surroundings.js';
import { configured } from './command-configuration.js';

interface Report extends FileContent {
  readonly file: string;
  readonly versions: Readonly<Record<string, number>>;
  /** The last position of the log; null if it is empty. */
  readonly head: Position | null;
  /** The number of events that the read models lack; null if they are ahead of the log, and so of another log. */
  readonly behind: number | null;
}

const fileOf = ({ data_dir }: Config): string => join(data_dir, 'read-models.db');

/** The embedded log, in which nothing is written; a service may be using it. Throws when it cannot be read. */
const openToRead = ({ data_dir }: Config) => eventStoreOver(openReadOnly(logFileIn(data_dir)));

/**
 * How far the read models are behind the log. Writes nothing and needs no running service. Rejects if either cannot be
 * read.
 */
const inspectReadModels = async (config: Config): Promise<Report> => {
  const file = fileOf(config);
  const content = inspectFile(file);
  const { position } = content;
  const { store, close } =
    config.event_store === 'sqlite' ? openToRead(config) : await openEventLog(config, pinoLog('silent'));
  try {
    const head = orThrow(await store.head()());
    const isBeyond = position !== null && (head === null || head < position);
    // Positions do not count events in every store, so the events that follow are read and counted.
    let after = 0;
    for await (const page of readLog(store, {}, position)) after += orThrow(page).length;
    return { file, versions: currentVersions, ...content, head, behind: isBeyond ? null : after };
  } finally {
    await close();
  }
};

type Print = (line: string) => void;

/** A log of readable lines. */
const printedLog = (print: Print): Log => {
  const line: Log['info'] = (message, facts = {}) =>
    print([message, ...Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`)].join(', '));
  return { info: line, warn: line, error: line };
};

const untilCaughtUp = async (config: Config, store: EventStore, print: Print): Promise<void> => {
  const readModels = openReadModels({ file: fileOf(config), store, log: printedLog(print) });
  try {
    for (let { caught_up, failure } = readModels.status(); !caught_up; { caught_up, failure } = readModels.status()) {
      if (failure !== null) throw new Error(`the read models are not complete: ${failure.reason}`);
      await setTimeout(20);
    }
  } finally {
    await readModels.close();
  }
};

/**
 * Removes the read models and rebuilds them from the log, of which it prints the progress. Rejects, with nothing
 * removed, if a service is using them, the file is something else or the log is missing. If it is interrupted later, the
 * next start of a service continues.
 */
const rebuildReadModels = async (config: Config, print: Print): Promise<Report> => {
  if (config.event_store === 'sqlite') await openToRead(config).close();
  const { store, close } = await openEventLog(config, pinoLog('silent'));
  try {
    orThrow(await store.head()());
    removeUnused(fileOf(config));
    await untilCaughtUp(config, store, print);
  } finally {
    await close();
  }
  return inspectReadModels(config);
};

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const states: Readonly<Record<Report['state'], string>> = {
  current: 'of these versions',
  outdated: 'of other versions: rebuilt at the next start',
  missing: 'missing: built at the next start',
  broken: 'broken: rebuilt at the next start',
};

const lag = ({ behind }: Report): string => {
  if (behind === null)
    return 'beyond the end of the log, so of another log: serve refuses it, unless it is started with --accept-log';
  return behind === 0 ? 'up to date' : `${behind} events behind`;
};

const linesOf = (report: Report): ReadonlyArray<string> => [
  `${report.file}: ${states[report.state]}`,
  `versions: ${listed(report.versions)}`,
  `position: ${report.position ?? 'none'} of ${report.head ?? 'an empty log'}, ${lag(report)}`,
  ...(report.state === 'current' ? [`rows: ${listed(report.rows)}`] : []),
];

interface Options {
  readonly json?: boolean;
}

const printReport = ({ print }: CommandNeeds, report: Report, { json = false }: Options): void =>
  json ? print(JSON.stringify(report)) : linesOf(report).forEach(print);

const status = (needs: CommandNeeds): Command =>
  new Command('status')
    .description('version, position and rows of the read models, and how far they are behind the log; writes nothing')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => printReport(needs, await inspectReadModels(configured(needs.env)), options));

const rebuild = (needs: CommandNeeds): Command =>
  new Command('rebuild')
    .description('delete the read models and rebuild them from the log; refused while a service uses them')
    .option('--json', 'print one JSON object at the end')
    .action(async (options: Options) =>
      printReport(needs, await rebuildReadModels(configured(needs.env), needs.printError), options),
    );

/** `media-analysis read-models`: the tables for queries, which are built from the log. */
export const readModelsCommand = (needs: CommandNeeds): Command =>
  new Command('read-models')
    .description(
      'the read models that queries are answered from; DATA_DIR and EVENT_STORE select them, as for the service',
    )
    .addCommand(status(needs))
    .addCommand(rebuild(needs));
