import { Command } from 'commander';
import type { OnProgress } from '../../../application/audit/read-log.js';
import type { sealLog } from '../../../application/audit/verify-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { Fault } from '../../../projections/audit/fault.js';
import type { CommandNeeds } from '../surroundings.js';
import { counted } from '../terminal.js';

/** Which log to read. */
export interface SourceOptions {
  readonly file?: string;
  readonly eventStore?: string;
}

/** A log to read, live or a copy. */
export interface AuditSource {
  readonly name: string;
  readonly store: EventStore;
  /** The log as it is stored, with personal data sealed. Events are read although others before them are missing. */
  readonly stored: EventStore;
  /** What is wrong with the stored file itself. */
  readonly inspect: (onProgress: OnProgress) => Promise<ReadonlyArray<Fault>>;
  readonly seal: (onProgress: OnProgress) => ReturnType<typeof sealLog>;
  readonly close: () => Promise<void>;
}

/** What the commands work with: how the log named by the options, or else the configured one, is opened, too. */
export interface AuditNeeds extends CommandNeeds {
  readonly openLog: (options: SourceOptions) => Promise<AuditSource>;
}

/** Opens the log, runs the work, and always closes the log. */
export const withLog = async <Result>(
  { openLog }: AuditNeeds,
  options: SourceOptions,
  work: (source: AuditSource) => Promise<Result>,
): Promise<Result> => {
  const source = await openLog(options);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
};

export type CommonOptions = SourceOptions & { readonly json?: true };

/** What to do if keys are missing. */
export const whereToPutKeys =
  'put keys.db and keys.secret next to the log (in DATA_DIR if it is an EventStoreDB), or set KEY_VAULT_URL';

export interface KeyOptions {
  readonly withoutKeys?: true;
}

/** Adds the option that accepts a log without some of its keys. */
export const withKeys = (command: Command): Command =>
  command.option('--without-keys', 'show what can be seen if keys are missing, and say how much is not');

/**
 * Throws if events cannot be read because their keys are missing: what such events say would be taken for what did not
 * happen. With `--without-keys`, says how many are missing: in the text, or as a warning beside JSON.
 */
export const refuseMissingKeys = (
  { print, printError }: CommandNeeds,
  { withoutKeys, json }: CommonOptions & KeyOptions,
  unreadable: number,
): void => {
  if (unreadable === 0) return;
  const missing = `${counted(unreadable, 'event')} cannot be read: the keys are missing`;
  if (withoutKeys !== true)
    throw new Error(`${missing}. Either ${whereToPutKeys}; or add --without-keys to see the rest`);
  if (json === true) printError(`warning: ${missing}, and the result lacks what they say`);
  else print(`${missing}. What follows lacks what they say.`);
};

/** A subcommand that reads a log. */
export const onLog = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--file <events.db>', 'a log file, live or a copy (default: events.db in DATA_DIR)')
    .option('--event-store <address>', 'an EventStoreDB: esdb://… (default: EVENT_STORE)')
    .option('--json', 'print JSON for machines');
