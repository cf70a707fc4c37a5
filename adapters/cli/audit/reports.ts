import * as E from 'fp-ts/lib/Either.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStream, selectEvents } from '../../../application/audit/select-events.js';
import { type ReplayEnd, replayLog } from '../../../application/audit/replay-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { shownEvent } from '../../../projections/audit/shown-event.js';
import { statementOf } from '../../../projections/audit/statement.js';
import { tables } from '../../../projections/tables.js';
import { columns, counted, differenceLine, oneLine, paint } from './paint.js';
import { type SelectionOptions, selectionOf, timestamp, withSelection } from './selection.js';
import { type AuditNeeds, type AuditSource, type CommonOptions, onLog, withLog } from './source.js';

/** `audit late-writes`: write-backs that came late or may have come from another run. */
export const lateWritesCommand = (needs: AuditNeeds): Command =>
  onLog(
    'late-writes',
    'write-backs that came late or are ambiguous, what they changed, and whether that was reverted',
  ).action((options: CommonOptions) =>
    withLog(needs, options, async ({ store }) => {
      const colours = paint(needs.isTerminal);
      const late = (await needs.watched((onProgress) => replayLog(store, null, onProgress))).rows.lateWrites.all();
      if (options.json === true) return late.forEach((write) => needs.print(JSON.stringify(write)));
      if (late.length === 0) needs.print('No write-back came late.');
      for (const { at, status, reason, video_id, run_id, actor, request_id, changes, reverted_at, ...write } of late) {
        const suspected = write.late_write_suspected ? colours.yellow(', maybe from a stale run') : '';
        needs.print(`${colours.bold(at)} ${status}${reason === null ? '' : ` (${reason})`}${suspected}`);
        needs.print(colours.dim(`    video ${video_id ?? 'unknown'}, run ${run_id}, ${write.attribution ?? 'own'}`));
        needs.print(colours.dim(`    by ${actor.account_id} (key ${actor.key_id}), request ${request_id}`));
        for (const { face_id, before, after } of changes)
          needs.print(differenceLine(colours, { path: `face ${face_id}`, before, after }));
        if (reverted_at !== null) needs.print(colours.green(`    reverted ${reverted_at}`));
      }
    }),
  );

const month = (text: string): string => {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month as in 2026-01.');
};

/** `audit statement <account>`: the billing statement of a month. */
export const statementCommand = (needs: AuditNeeds): Command =>
  onLog('statement', 'the billing statement of an account for a month, in UTC')
    .argument('<account>')
    .addOption(new Option('--month <YYYY-MM>', 'the month').argParser(month).makeOptionMandatory())
    .action((account: string, options: CommonOptions & { readonly month: string }) =>
      withLog(needs, options, async ({ store }) => {
        const booked = await readStream(store, `creditAccount-${account}`);
        if (booked.length === 0 && (await readStream(store, `account-${account}`)).length === 0)
          throw new Error(`there is no account ${account}`);
        const statement = statementOf(account, options.month, booked);
        if (options.json === true) return needs.print(JSON.stringify(statement));
        const { bold } = paint(needs.isTerminal);
        const { entries, opening_balance, closing_balance } = statement;
        needs.print(bold(`Statement of ${account} for ${options.month}`));
        const rows = entries.map(({ at, kind, amount, balance_after, run_id, session_id, request_id, reason }) => {
          const session = session_id === null ? '' : `session ${session_id}`;
          const source = run_id === null ? session : `run ${run_id}`;
          return [at, kind, amount, balance_after, source, `request ${request_id}`, reason];
        });
        const head = ['time', 'kind', 'amount', 'balance', 'for', 'request', 'reason'];
        needs.print(`Opening balance ${opening_balance}`);
        columns(rows.length === 0 ? [] : [head, ...rows]).forEach((line) => needs.print(line));
        needs.print(bold(`Closing balance ${closing_balance}`));
      }),
    );

const replayEnd = (text: string): ReplayEnd =>
  /^\d+$/.test(text) ? { position: text.replace(/^0+(?=\d)/, '') } : { time: timestamp(text) };

/** Positions as people write them, in the width of the store's own. */
const endIn = async (store: EventStore, end: ReplayEnd): Promise<ReplayEnd> => {
  if (end === null || 'time' in end) return end;
  const head = await store.head()();
  return { position: end.position.padStart(E.isRight(head) ? (head.right?.length ?? 0) : 0, '0') };
};

/** `audit replay`: the read models as they stood. */
export const replayCommand = (needs: AuditNeeds): Command =>
  onLog('replay', 'the read models as they stood at a position or time')
    .addOption(new Option('--to <position or time>', 'where to end').argParser(replayEnd).default(null, 'the end'))
    .addOption(new Option('--table <name>', 'print the rows of a table').choices(Object.keys(tables)))
    .action((options: CommonOptions & { readonly to: ReplayEnd; readonly table?: string }) =>
      withLog(needs, options, async ({ store }) => {
        const end = await endIn(store, options.to);
        const { rows, events, position } = await needs.watched((onProgress) => replayLog(store, end, onProgress));
        const all = Object.entries(rows).map(([name, table]) => [name, table.all()] as const);
        const wanted = all.filter(([name]) => options.table === undefined || name === options.table);
        if (options.json === true)
          return needs.print(JSON.stringify({ events, position, ...Object.fromEntries(wanted) }));
        needs.print(`After ${counted(events, 'event')}${events === 0 ? '' : `, the last at position ${position}`}:`);
        columns(wanted.map(([name, { length }]) => [`  ${name}`, counted(length, 'row')])).forEach((line) =>
          needs.print(line),
        );
        if (options.table !== undefined) wanted.forEach(([, rows]) => rows.forEach((row) => needs.print(oneLine(row))));
      }),
    );

async function* shownPages({ store }: AuditSource, options: SelectionOptions) {
  for await (const page of selectEvents(store, selectionOf(options))) yield page.map(shownEvent);
}

type ExportOptions = CommonOptions &
  SelectionOptions & { readonly format: 'ndjson' | 'csv' | 'parquet'; readonly out: string };

/** `audit export`: the log, or a selection of it, as a file. */
export const exportCommand = (needs: AuditNeeds): Command =>
  withSelection(onLog('export', 'write the log or a selection of it to a file'))
    .addOption(new Option('--format <format>', 'of the file').choices(['ndjson', 'csv', 'parquet']).default('ndjson'))
    .requiredOption('--out <file>', 'the file to write')
    .action((options: ExportOptions) =>
      withLog(needs, options, async (source) => {
        const { format, out: file } = options;
        const events = await needs.watched((onProgress) =>
          needs.exportEvents({
            pages: shownPages(source, options),
            format,
            file,
            onProgress: (written) => onProgress({ events: written, share: null }),
          }),
        );
        needs.print(
          options.json === true ? JSON.stringify({ events, file, format }) : `${events} events are in ${file}.`,
        );
      }),
    );
