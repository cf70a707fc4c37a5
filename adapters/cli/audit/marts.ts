import type { Command } from 'commander';
import { type ReplayEnd, replayMarts } from '../../../application/audit/replay-log.js';
import { marts } from '../../../projections/audit/marts/catalogue.js';
import { counted } from './paint.js';
import { type AuditNeeds, type AuditSource, type CommonOptions, type KeyOptions, refuseMissingKeys } from './source.js';

export interface MartOptions {
  readonly marts?: true;
  readonly out?: string;
  readonly force?: true;
}

/** Options of a command that can write marts. */
export const withMarts = (out: string, where: string, command: Command): Command =>
  command
    .option('--marts', `write one Parquet file each for ${Object.keys(marts).join(', ')} (see docs/audit-marts.md)`)
    .option(`--out ${out}`, where)
    .option('--force', 'replace files that are there');

/** Whether marts are requested; without `--out` that is a usage error. */
export const writesMarts = (
  options: MartOptions,
  command: Command,
): options is MartOptions & { readonly marts: true; readonly out: string } => {
  if (options.marts === true && options.out === undefined)
    command.error('error: --marts needs --out <folder>', { exitCode: 2 });
  return options.marts === true;
};

/** Writes the marts of a log up to an end. */
export const printMarts = async (
  needs: AuditNeeds,
  { store }: AuditSource,
  options: CommonOptions & KeyOptions & MartOptions & { readonly out: string },
  end: ReplayEnd,
): Promise<void> => {
  const { events, unreadable } = await needs.watched((onProgress) =>
    needs.exportMarts(options.out, options.force === true, async (write) => {
      const replayed = await replayMarts(store, end, write, onProgress);
      refuseMissingKeys(needs, options, replayed.unreadable);
      return replayed;
    }),
  );
  const files = Object.keys(marts).map((name) => `${name}.parquet`);
  needs.print(
    options.json === true
      ? JSON.stringify({ events, unreadable, folder: options.out, files })
      : `${counted(events, 'event')} were replayed (those that change no table are not counted). ${options.out} holds ${files.join(', ')}.`,
  );
};
