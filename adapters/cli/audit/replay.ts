import * as E from 'fp-ts/lib/Either.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ReplayEnd, replayLog } from '../../../application/audit/replay-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { shownPosition } from '../../../projections/audit/shown-event.js';
import { tables } from '../../../projections/tables.js';
import { type MartOptions, printMarts, withMarts, writesMarts } from './marts.js';
import { columns } from '../columns.js';
import { counted, oneLine } from './paint.js';
import { readTimestamp } from '../../../domain/kernel/timestamp.js';
import { howToWriteATime } from '../written-time.js';
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

type Options = CommonOptions & KeyOptions & MartOptions & { readonly to: ReplayEnd; readonly table?: string };

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
  const head = await store.head()();
  if (E.isLeft(head)) throw new Error(`the log cannot be read: ${head.left.reason}`);
  const found = store.positionIn(end.position);
  const last = head.right ?? '0';
  if (found === null || found > last)
    throw new Error(`the position #${end.position} is beyond the end of the log, which is ${shownPosition(last)}`);
  return { position: found };
};

const printTables = async (needs: AuditNeeds, { store }: AuditSource, options: Options): Promise<void> => {
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
  withMarts(
    '<folder>',
    'the folder for the marts',
    withKeys(onLog('replay', 'the read models as they stood at a position or time'))
      .addOption(
        new Option('--to <position or time>', 'where to end; an event there is included')
          .argParser(replayEnd)
          .default(null, 'the end'),
      )
      .addOption(new Option('--table <name>', 'print the rows of a table').choices(Object.keys(tables))),
  )
    .addHelpText('after', `\nA position is written as in #123, a time ${howToWriteATime}.`)
    .action((options: Options, command: Command) => {
      if (options.marts !== true && (options.out !== undefined || options.force === true))
        command.error('error: --out and --force are for --marts; without it, redirect the output', { exitCode: 2 });
      if (options.marts === true && options.table !== undefined)
        command.error('error: --table cannot be combined with --marts', { exitCode: 2 });
      return withLog(needs, options, async (source) => {
        if (!writesMarts(options, command)) return printTables(needs, source, options);
        return printMarts(needs, source, options, await endIn(source.store, options.to));
      });
    });
