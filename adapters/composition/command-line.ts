import { Command, CommanderError, Help, type Option } from 'commander';
import { packageVersion } from '../runtime/package-files.js';
import { WrongUsage, readableError } from '../cli/readable-error.js';
import type { CommandNeeds, Surroundings } from '../cli/surroundings.js';
import { watchedOn } from '../cli/terminal.js';
import { WrongConfiguration } from './command-configuration.js';

/** The commands by name. One is imported when it runs: all of them take half a second. */
const commands: Readonly<Record<string, () => Promise<(needs: CommandNeeds) => Command>>> = {
  serve: async () => (await import('./serve-commands.js')).serveCommand,
  demo: async () => (await import('./demo-command.js')).demoCommand,
  import: async () => (await import('./import-command.js')).importCommand,
  keys: async () => (await import('../cli/service-commands.js')).keysCommand,
  credits: async () => (await import('../cli/service-commands.js')).creditsCommand,
  undo: async () => (await import('../cli/service-commands.js')).undoCommand,
  audit: async () => {
    const { auditCommand } = await import('../cli/audit/audit.js');
    const { openAuditLog } = await import('./audit-log.js');
    return (needs) => auditCommand({ ...needs, openLog: (options) => openAuditLog(needs.env, options) });
  },
  events: async () => (await import('./events-command.js')).eventsCommand,
  vault: async () => (await import('./serve-commands.js')).vaultCommand,
  'read-models': async () => (await import('./read-models-command.js')).readModelsCommand,
};

const usage = 2;
const failed = 1;

const help = new Help();

const describeOption = (option: Option): string =>
  `${help.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;

/** Subcommands that are built elsewhere do not inherit this. */
const inherit = (surroundings: Surroundings, command: Command): void => {
  const { stdout, stderr } = surroundings;
  command.exitOverride();
  command.configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  command.showHelpAfterError('Use --help for usage.');
  command.configureHelp({ optionDescription: describeOption });
  command.commands.forEach((one) => inherit(surroundings, one));
};

/** Prints why a command failed, unless that has been printed. Returns the exit code. */
const printFailure = (error: unknown, { printError }: Surroundings): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  const isWrong = error instanceof WrongConfiguration;
  printError(isWrong ? error.message : `error: ${readableError(error)}`);
  return isWrong || error instanceof WrongUsage ? usage : failed;
};

/** The result of a command. */
export interface Outcome {
  readonly code: number;
  /** It failed: what it opened, above all a connection to EventStoreDB, may still be open. */
  readonly hasFailed: boolean;
}

/** Runs the command named by the arguments (without those of node itself); if they name none, all are in the help text. */
export const runCommandLine = async (args: ReadonlyArray<string>, surroundings: Surroundings): Promise<Outcome> => {
  let code = 0;
  const needs: CommandNeeds = {
    ...surroundings,
    watched: watchedOn(surroundings.stderr),
    exitWith: (exitCode) => void (code = exitCode),
  };
  const program = new Command('media-analysis')
    .description('Joins the faces that video analysis sees with the speakers that audio analysis hears.')
    .version(packageVersion());
  const named = Object.entries(commands).filter(([name]) => name === args[0]);
  for (const [, load] of named.length > 0 ? named : Object.entries(commands)) program.addCommand((await load())(needs));
  inherit(surroundings, program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code, hasFailed: false };
  } catch (error) {
    return { code: printFailure(error, surroundings), hasFailed: true };
  }
};
