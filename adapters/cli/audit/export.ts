import { type Command, Option } from 'commander';
import { selectEvents } from '../../../application/audit/select-events.js';
import { shownEvent } from '../../../projections/audit/shown-event.js';
import { type MartOptions, printMarts, withMarts, writesMarts } from './marts.js';
import { counted } from './paint.js';
import { type SelectionOptions, refuseUnknown, refuseUnmatchable, selectionOf, withSelection } from './selection.js';
import type { EventSelection } from '../../../projections/event-selection.js';
import {
  type AuditNeeds,
  type AuditSource,
  type CommonOptions,
  type KeyOptions,
  onLog,
  withKeys,
  withLog,
} from './source.js';

type Options = CommonOptions &
  KeyOptions &
  SelectionOptions &
  MartOptions & { readonly format: 'ndjson' | 'csv' | 'parquet' };

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
  { format, out: file, force = false, ...options }: Omit<Options, 'force'> & { readonly out: string; force?: boolean },
): Promise<void> => {
  const events = await needs.watched((onProgress) =>
    needs.exportEvents({
      pages: shownPages(source, selectionOf(options)),
      format,
      file,
      force,
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
    '<path>',
    'the file, or with --marts the folder',
    withSelection(
      withKeys(onLog('export', 'write the log, a selection of it, or marts made of it to files')),
    ).addOption(new Option('--format <format>', 'of the file').choices(['ndjson', 'csv', 'parquet']).default('ndjson')),
  ).action((options: Options, command: Command) =>
    withLog(needs, options, async (source) => {
      const { out } = options;
      if (writesMarts(options, command)) {
        if (Object.values(selectionOf(options)).some((given) => given !== null))
          command.error('error: --marts exports the whole log and cannot be combined with filters', { exitCode: 2 });
        if (command.getOptionValueSource('format') === 'cli')
          command.error('error: --marts are Parquet files and cannot be combined with --format', { exitCode: 2 });
        return printMarts(needs, source, options, null);
      }
      if (out === undefined)
        return command.error("error: required option '--out <path>' not specified", { exitCode: 2 });
      return exportSelection(needs, source, { ...options, out });
    }),
  );
