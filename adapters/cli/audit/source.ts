import { Command } from 'commander';
import type { OnProgress } from '../../../application/audit/read-log.js';
import type { WriteMart } from '../../../application/audit/replay-marts.js';
import type { sealLog } from '../../../application/audit/seal-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { Fault } from '../../../projections/audit/fault.js';
import type { ShownEvent } from '../../../projections/audit/shown-event.js';
import { counted } from './paint.js';

/** Which log to read. */
export interface SourceOptions {
  readonly file?: string;
  readonly eventStore?: string;
}

/** A log to read, live or a copy. */
export interface AuditSource {
  readonly name: string;
  readonly store: EventStore;
  /** The log as it is stored, with personal data sealed. */
  readonly stored: EventStore;
  /** What is wrong with the stored file itself. */
  readonly inspect: (onProgress: OnProgress) => Promise<ReadonlyArray<Fault>>;
  readonly seal: (onProgress: OnProgress) => ReturnType<typeof sealLog>;
  readonly close: () => Promise<void>;
}

/** The dependencies of the commands. */
export interface AuditNeeds {
  readonly open: (options: SourceOptions) => Promise<AuditSource>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly isTerminal: boolean;
  /** Runs work that reads a whole log, and shows its progress on a terminal. */
  readonly watched: <Result>(work: (onProgress: OnProgress) => Promise<Result>) => Promise<Result>;
  readonly readFile: (file: string) => string;
  readonly exportEvents: ExportEvents;
  readonly exportMarts: ExportMarts;
  /** Calls back once when the process should end. */
  readonly onEnd: (end: () => void) => void;
  /** Sets the exit code: 0 success, 1 failure or faults found. */
  readonly exitWith: (code: 0 | 1) => void;
}

export type ExportEvents = (request: {
  readonly pages: AsyncIterable<ReadonlyArray<ShownEvent>>;
  readonly format: 'ndjson' | 'csv' | 'parquet';
  readonly file: string;
  /** Overwrites an existing file. */
  readonly force: boolean;
  readonly onProgress: (events: number) => void;
}) => Promise<number>;

export type ExportMarts = <Result>(
  folder: string,
  force: boolean,
  replay: (write: WriteMart) => Promise<Result>,
) => Promise<Result>;

export type CommonOptions = SourceOptions & { readonly json?: true };

/** What to do if keys are missing. */
export const whereKeysBelong =
  'put keys.db and keys.secret next to the log (in DATA_DIR if it is an EventStoreDB), or set KEY_VAULT_URL';

/** Warns that the result lacks what events say whose keys are missing. */
export const warnOfMissingKeys = ({ printError }: AuditNeeds, unreadable: number): void => {
  if (unreadable > 0)
    printError(
      `warning: ${counted(unreadable, 'event')} cannot be read, and the result lacks what they say: the keys are missing. To include it, ${whereKeysBelong}`,
    );
};

/** A subcommand that reads a log. */
export const onLog = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--file <events.db>', 'a log file, live or a copy (default: events.db in DATA_DIR)')
    .option('--event-store <address>', 'an EventStoreDB: esdb://… (default: EVENT_STORE)')
    .option('--json', 'print JSON for machines');

/** Opens the log, runs the work, and always closes the log. */
export const withLog = async <Result>(
  { open }: AuditNeeds,
  options: SourceOptions,
  work: (source: AuditSource) => Promise<Result>,
): Promise<Result> => {
  const source = await open(options);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
};
