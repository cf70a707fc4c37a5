import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { Command, CommanderError, Help, type Option } from 'commander';
import { type Screen, watchedOn } from '../cli/terminal.js';
import { WrongUsage, readableError } from '../cli/readable-error.js';
import { keepHeapSmall, limitHeapGrowth } from '../runtime/memory.js';
import { dataFolderFault, hostFault, tlsFileFaults } from '../config/tls-files.js';
import { type Config, defaults, readConfig } from '../config/config.js';
import { startLogCheck } from './data-checks.js';
import { packageVersion } from '../runtime/package-files.js';

// A command, and what it works with, is imported when it is the one that runs: all of them take half a second.

/** The environment of a command line: a process of its own, or a test. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Calls back once when the command should end. */
  readonly onEnd: (end: () => void) => void;
  /** Ends the process of a service. */
  readonly exit: (code: number) => void;
}

const usage = 2;
const failed = 1;

type Settings = Readonly<Record<string, string>>;

class WrongConfiguration extends Error {
  constructor(wrong: ReadonlyArray<string>) {
    super(`The configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  }
}

type Faults = ReadonlyArray<string>;

/** The configuration of a command; `faults`: what is wrong besides. */
const configured = ({ env }: Surroundings, settings: Settings = {}, faults: Faults = []): Config => {
  const config = readConfig({ ...env, ...settings });
  const wrong = [...(E.isLeft(config) ? config.left : []), ...faults];
  if (E.isLeft(config) || wrong.length > 0) throw new WrongConfiguration(wrong);
  return config.right;
};

/** The configuration of a service. The address to listen on and the data folder are checked too. */
const configuredToServe = async (
  surroundings: Surroundings,
  settings: Settings,
  otherFaults: (environment: Surroundings['env']) => Faults,
): Promise<Config> => {
  const environment = { ...surroundings.env, ...settings };
  const faults = [
    await hostFault(environment['HOST'] || defaults.host),
    dataFolderFault(environment['DATA_DIR'] || defaults.data_dir),
  ].filter((fault) => fault !== null);
  return configured(surroundings, settings, [...faults, ...otherFaults(environment)]);
};

/** Wraps the keys with the secret in the environment, or else with a new one. */
const rotated = async (surroundings: Surroundings): Promise<number> => {
  const { rotateKeys, newSecretFaults } = await import('./vault-service.js');
  const faults = newSecretFaults(surroundings.env);
  if (faults.length > 0) throw new WrongConfiguration(faults);
  return rotateKeys(configured(surroundings), surroundings.env['KEY_VAULT_NEW_SECRET'] || null);
};

/** Commands by name. */
type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** All commands; `exitWith` receives the exit code of one that has run. */
const commandsOf = (surroundings: Surroundings, exitWith: (code: number) => void): Commands => {
  const { printError, stdout, stderr } = surroundings;
  const watched = watchedOn(stderr);
  return {
    serve: async () =>
      (await import('../cli/serve.js')).serveCommand({
        ...surroundings,
        start: async (settings) => {
          const config = await configuredToServe(surroundings, settings, tlsFileFaults);
          limitHeapGrowth();
          const check = startLogCheck(config);
          return (await import('./service.js')).startService(config, { check });
        },
      }),
    demo: async () =>
      (await import('../cli/demo.js')).demoCommand({
        ...surroundings,
        start: async () => (await import('./demo-service.js')).startDemo(),
        importClip: async (...given) => (await import('./demo-service.js')).importClip(...given),
      }),
    import: async () =>
      (await import('../cli/import.js')).importCommand({
        ...surroundings,
        importFiles: async (...given) => {
          keepHeapSmall();
          return (await import('../import/import-files.js')).importFiles(...given);
        },
        watched,
        exitWith,
      }),
    keys: async () => (await import('../cli/service-commands.js')).keysCommand(surroundings),
    credits: async () => (await import('../cli/service-commands.js')).creditsCommand(surroundings),
    undo: async () => (await import('../cli/service-commands.js')).undoCommand(surroundings),
    audit: async () =>
      (await import('../cli/audit/audit.js')).auditCommand({
        ...surroundings,
        open: async (options) =>
          (await import('./audit-source.js')).openAuditSource(options, (settings) =>
            configured(surroundings, settings),
          ),
        isTerminal: stdout.isTTY === true,
        watched,
        readFile: (file) => readFileSync(file, 'utf8'),
        exitWith,
      }),
    events: async () =>
      (await import('../cli/events.js')).eventsCommand({
        ...surroundings,
        copy: async (...given) => (await import('./copy-events.js')).copyEvents(...given),
        seal: async (from, to, onProgress) =>
          (await import('./copy-events.js')).sealEvents(from, to, configured(surroundings), onProgress),
        watched,
      }),
    vault: async () =>
      (await import('../cli/serve.js')).vaultCommand({
        ...surroundings,
        start: async () => {
          const { startVault, vaultFaults } = await import('./vault-service.js');
          return startVault(await configuredToServe(surroundings, {}, vaultFaults));
        },
        rotate: () => rotated(surroundings),
      }),
    'read-models': async () =>
      (await import('../cli/read-models.js')).readModelsCommand({
        ...surroundings,
        inspect: async () => (await import('./read-models.js')).inspectReadModels(configured(surroundings)),
        rebuild: async () => (await import('./read-models.js')).rebuildReadModels(configured(surroundings), printError),
      }),
  };
};

/** The command named by the first argument; if it names none, all commands, for the help text. */
const wanted = async (commands: Commands, [name = '']: ReadonlyArray<string>): Promise<ReadonlyArray<Command>> => {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load === undefined ? Promise.all(Object.values(commands).map((each) => each())) : [await load()];
};

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
export const printFailure = (error: unknown, { printError }: Pick<Surroundings, 'printError'>): number => {
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

/** Runs the command named by the arguments (without those of node itself). */
export const runCommandLine = async (args: ReadonlyArray<string>, surroundings: Surroundings): Promise<Outcome> => {
  let code = 0;
  const program = new Command('media-analysis')
    .description('Joins the faces that video analysis sees with the speakers that audio analysis hears.')
    .version(packageVersion());
  const commands = commandsOf(surroundings, (exitCode) => void (code = exitCode));
  for (const command of await wanted(commands, args)) program.addCommand(command);
  inherit(surroundings, program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code, hasFailed: false };
  } catch (error) {
    return { code: printFailure(error, surroundings), hasFailed: true };
  }
};
