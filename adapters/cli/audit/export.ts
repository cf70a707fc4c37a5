import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ReplayEnd, replayLog, replayMarts } from '../../../application/audit/replay-log.js';
import { marts } from '../../../projections/audit/marts/catalogue.js';
import { columns, counted, oneLine } from '../terminal.js';
import {
  type AuditNeeds,
  type AuditSource,
  type CommonOptions,
  type KeyOptions,
  onLog,
  refuseMissingKeys,
  withKeys,
  withLog,
} from './source.js';
import { orThrow } from '../../../application/failures.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { shownEvent, shownPosition } from '../../../projections/audit/shown-event.js';
import { tables } from '../../../projections/tables.js';
import { readTimestamp } from '../../../domain/kernel/timestamp.js';
import { howToWriteATime } from '../readable-error.js';
import { selectEvents } from '../../../application/audit/read-log.js';
import type { ExportRequest } from './export-files.js';
import {
  filters,
  refuseUnknown,
  refuseUnmatchable,
  selectionOf,
  type SelectionOptions,
  withSelection,
} from './selection.js';
import type { EventSelection } from '../../../projections/event-selection.js';

interface MartOptions {
  readonly marts?: true;
  readonly out?: string;
  readonly force?: true;
}

/** Options of a command that can write marts, in place of what the `others` do. */
const withMarts = (command: Command, others: string[]): Command =>
  command
    .addOption(
      new Option(
        '--marts',
        `write one Parquet file each for ${Object.keys(marts).join(', ')} (see docs/audit-marts.md)`,
      ).conflicts(others),
    )
    .option('--force', 'replace files that are there');

/** Writes the marts of a log up to an end to a folder. */
const printMarts = async (
  needs: AuditNeeds,
  { store }: AuditSource,
  options: CommonOptions & KeyOptions & MartOptions,
  folder: string,
  end: ReplayEnd,
): Promise<void> => {
  const { exportMarts } = await import('./export-files.js');
  const { events, unreadable } = await needs.watched((onProgress) =>
    exportMarts(folder, options.force === true, async (write) => {
      const replayed = await replayMarts(store, end, write, onProgress);
      refuseMissingKeys(needs, options, replayed.unreadable);
      return replayed;
    }),
  );
  const files = Object.keys(marts).map((name) => `${name}.parquet`);
  needs.print(
    options.json === true
      ? JSON.stringify({ events, unreadable, folder, files })
      : `${counted(events, 'event')} were replayed (those that change no table are not counted). ${folder} holds ${files.join(', ')}.`,
  );
};

type ReplayOptions = CommonOptions & KeyOptions & MartOptions & { readonly to: ReplayEnd; readonly table?: string };

const position = /^#?0*(\d+)$/;

/** Digits that may be meant as a year, month or day. */
const mayBeDate = /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)?$/;

const replayEnd = (text: string): ReplayEnd => {
  if (mayBeDate.test(text))
    throw new InvalidArgumentError(`Write #${text} for the position; for a time, it must be ${howToWriteATime}.`);
  const digits = position.exec(text)?.[1];
  if (digits !== undefined) return { position: digits };
  const time = readTimestamp(text);
  if (time !== null) return { time };
  throw new InvalidArgumentError(`It must be a position, as in #123, or a time, ${howToWriteATime}.`);
};

/** The end as the store writes positions. Throws if it is beyond the head of the log. */
const endIn = async (store: EventStore, end: ReplayEnd): Promise<ReplayEnd> => {
  if (end === null || 'time' in end) return end;
  const found = store.positionIn(end.position);
  const last = orThrow(await store.head()()) ?? '0';
  if (found === null || found > last)
    throw new Error(`the position #${end.position} is beyond the end of the log, which is ${shownPosition(last)}`);
  return { position: found };
};

const printTables = async (needs: AuditNeeds, { store }: AuditSource, options: ReplayOptions): Promise<void> => {
  const end = await endIn(store, options.to);
  const { rows, events, unreadable, position } = await needs.watched((onProgress) => replayLog(store, end, onProgress));
  refuseMissingKeys(needs, options, unreadable);
  const all = Object.entries(rows).map(([name, table]) => [name, table.all()] as const);
  const wanted = all.filter(([name]) => options.table === undefined || name === options.table);
  if (options.json === true)
    return needs.print(JSON.stringify({ events, unreadable, position, ...Object.fromEntries(wanted) }));
  const last = events === 0 ? '' : `, the last at position ${shownPosition(position)}`;
  needs.print(`After ${counted(events, 'event')}${last} (those that change no table are not counted):`);
  columns(wanted.map(([name, { length }]) => [`  ${name}`, counted(length, 'row')])).forEach((line) =>
    needs.print(line),
  );
  if (options.table !== undefined) wanted.forEach(([, found]) => found.forEach((row) => needs.print(oneLine(row))));
};

/** `audit replay`: the read models at an earlier time. */
export const replayCommand = (needs: AuditNeeds): Command =>
  withMarts(withKeys(onLog('replay', 'the read models as they stood at a position or time')), ['table'])
    .option('--out <folder>', 'the folder for the marts')
    .addOption(
      new Option('--to <position or time>', 'where to end; an event there is included')
        .argParser(replayEnd)
        .default(null, 'the end'),
    )
    .addOption(new Option('--table <name>', 'print the rows of a table').choices(Object.keys(tables)))
    .addHelpText('after', `\nA position is written as in #123, a time ${howToWriteATime}.`)
    .action((options: ReplayOptions, command: Command) => {
      const { marts: asMarts, out, force, to } = options;
      if (asMarts === undefined && (out !== undefined || force === true))
        command.error('error: --out and --force are for --marts; without it, redirect the output');
      if (asMarts === true && out === undefined) command.error('error: --marts needs --out <folder>');
      return withLog(needs, options, async (source) =>
        out === undefined
          ? printTables(needs, source, options)
          : printMarts(needs, source, options, out, await endIn(source.store, to)),
      );
    });

type ExportOptions = CommonOptions &
  KeyOptions &
  SelectionOptions &
  MartOptions & { readonly out: string; readonly format: ExportRequest['format'] };

/** The pages to export. Throws before the file is complete if the filters name what does not exist. */
async function* shownPages({ store }: AuditSource, wanted: EventSelection) {
  let found = 0;
  await refuseUnmatchable(store, wanted);
  for await (const page of selectEvents(store, wanted)) {
    found += page.length;
    yield page.map(shownEvent);
  }
  if (found === 0) await refuseUnknown(store, wanted);
}

const exportSelection = async (
  needs: AuditNeeds,
  source: AuditSource,
  { format, out: file, force, ...options }: ExportOptions,
): Promise<void> => {
  const { exportEvents } = await import('./export-files.js');
  const events = await needs.watched((onProgress) =>
    exportEvents({
      pages: shownPages(source, selectionOf(options)),
      format,
      file,
      force: force === true,
      onProgress: (written) => onProgress({ events: written, share: null }),
    }),
  );
  needs.print(
    options.json === true ? JSON.stringify({ events, file, format }) : `${counted(events, 'event')} in ${file}.`,
  );
};

/** `audit export`: writes the log, a selection of it, or the marts of the whole log to files. */
export const exportCommand = (needs: AuditNeeds): Command =>
  withMarts(
    withSelection(withKeys(onLog('export', 'write the log, a selection of it, or marts made of it to files'))),
    ['format', ...filters],
  )
    .requiredOption('--out <path>', 'the file, or with --marts the folder')
    .addOption(new Option('--format <format>', 'of the file').choices(['ndjson', 'csv', 'parquet']).default('ndjson'))
    .action((options: ExportOptions) =>
      withLog(needs, options, (source) =>
        options.marts === true
          ? printMarts(needs, source, options, options.out, null)
          : exportSelection(needs, source, options),
      ),
    );
