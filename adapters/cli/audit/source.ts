import { Command } from 'commander';
import type { OnProgress } from '../../../application/audit/read-log.js';
import type { WriteMart } from '../../../application/audit/replay-marts.js';
import type { sealLog } from '../../../application/audit/seal-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { Fault } from '../../../projections/audit/fault.js';
import type { ShownEvent } from '../../../projections/audit/shown-event.js';

/** Which log to look at. */
export interface SourceOptions {
  readonly file?: string;
  readonly eventStore?: string;
}

/** A log to look at, live or a copy. */
export interface AuditSource {
  readonly name: string;
  readonly store: EventStore;
  /** The log as it is stored: what is personal is sealed in it. */
  readonly stored: EventStore;
  /** What is wrong with the storage itself. */
  readonly inspect: (onProgress: OnProgress) => Promise<ReadonlyArray<Fault>>;
  readonly seal: (onProgress: OnProgress) => ReturnType<typeof sealLog>;
  readonly close: () => Promise<void>;
}

/** What the commands need from outside. */
export interface AuditNeeds {
  readonly open: (options: SourceOptions) => Promise<AuditSource>;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  /** Does work that reads a whole log, and shows how far it is, where somebody can see it. */
  readonly watched: <Result>(work: (onProgress: OnProgress) => Promise<Result>) => Promise<Result>;
  readonly readFile: (file: string) => string;
  readonly exportEvents: ExportEvents;
  readonly exportMarts: ExportMarts;
  /** Calls back once when the process is asked to end. */
  readonly onEnd: (end: () => void) => void;
  /** Sets the exit code: 0 fine, 1 failed or found wrong. */
  readonly exitWith: (code: 0 | 1) => void;
}

export type ExportEvents = (request: {
  readonly pages: AsyncIterable<ReadonlyArray<ShownEvent>>;
  readonly format: 'ndjson' | 'csv' | 'parquet';
  readonly file: string;
  /** Replaces a file that is there. */
  readonly force: boolean;
  readonly onProgress: (events: number) => void;
}) => Promise<number>;

export type ExportMarts = <Result>(
  folder: string,
  force: boolean,
  replay: (write: WriteMart) => Promise<Result>,
) => Promise<Result>;

export type CommonOptions = SourceOptions & { readonly json?: true };

/** A subcommand that looks at a log. */
export const onLog = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--file <events.db>', 'a log file, live or a copy (default: events.db in DATA_DIR)')
    .option('--event-store <address>', 'an EventStoreDB: esdb://… (default: EVENT_STORE)')
    .option('--json', 'print JSON for machines');

/** Opens the log, does the work, and closes it whatever happens. */
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
