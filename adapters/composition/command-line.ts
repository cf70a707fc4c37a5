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

const configured =
  ({ env }: Surroundings) =>
  (settings: Settings): Config => {
    const config = readConfig({ ...env, ...settings });
    if (E.isLeft(config)) throw new WrongConfiguration(config.left);
    return config.right;
  };

type Faults = ReadonlyArray<string>;

/** The configuration of a service. The address to listen on and the data folder are checked too. */
const configuredToServe = async (
  { env }: Surroundings,
  settings: Settings,
  otherFaults: (environment: Surroundings['env']) => Faults = () => [],
): Promise<Config> => {
  const environment = { ...env, ...settings };
  const config = readConfig(environment);
  const faults = [
    await hostFault(environment['HOST'] || defaults.host),
    dataFolderFault(environment['DATA_DIR'] || defaults.data_dir),
  ];
  const wrong = [
    ...(E.isLeft(config) ? config.left : []),
    ...faults.filter((fault) => fault !== null),
    ...otherFaults(environment),
  ];
  if (E.isLeft(config) || wrong.length > 0) throw new WrongConfiguration(wrong);
  return config.right;
};

/** Receives the exit code of a command that has run. */
type ExitWith = (code: number) => void;

/** Commands by name. */
type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** The commands that run the service or call it over HTTP. */
const serviceCommands = (surroundings: Surroundings, exitWith: ExitWith): Commands => {
  const { env, print, stderr, onEnd, exit } = surroundings;
  return {
    serve: async () =>
      (await import('../cli/serve.js')).serveCommand({
        start: async (settings) => {
          const config = await configuredToServe(surroundings, settings, tlsFileFaults);
          limitHeapGrowth();
          const check = startLogCheck(config);
          return (await import('./service.js')).startService(config, { check });
        },
        print,
        onEnd,
        exit,
      }),
    demo: async () =>
      (await import('../cli/demo.js')).demoCommand({
        start: async () => (await import('./demo-service.js')).startDemo(),
        importClip: async (...given) => (await import('./demo-service.js')).importClip(...given),
        print,
      }),
    import: async () =>
      (await import('../cli/import.js')).importCommand({
        importFiles: async (...given) => {
          keepHeapSmall();
          return (await import('../import/import-files.js')).importFiles(...given);
        },
        env,
        print,
        watched: watchedOn(stderr),
        exitWith,
      }),
    keys: async () => (await import('../cli/service-commands.js')).keysCommand({ env, print }),
    credits: async () => (await import('../cli/service-commands.js')).creditsCommand({ env, print }),
    undo: async () => (await import('../cli/service-commands.js')).undoCommand({ env, print }),
  };
};

/** Wraps the keys with the secret in the environment, or else with a new one. */
const rotated = async (surroundings: Surroundings): Promise<number> => {
  const { rotateKeys, newSecretFaults } = await import('./vault-service.js');
  const faults = newSecretFaults(surroundings.env);
  if (faults.length > 0) throw new WrongConfiguration(faults);
  return rotateKeys(configured(surroundings)({}), surroundings.env['KEY_VAULT_NEW_SECRET'] || null);
};

/** The commands that read a log or files. */
const logCommands = (surroundings: Surroundings, exitWith: ExitWith): Commands => {
  const { print, printError, stdout, stderr, onEnd, exit } = surroundings;
  const configure = configured(surroundings);
  return {
    audit: async () =>
      (await import('../cli/audit/audit.js')).auditCommand({
        open: async (options) => (await import('./audit-source.js')).openAuditSource(options, configure),
        print,
        printError,
        isTerminal: stdout.isTTY === true,
        watched: watchedOn(stderr),
        readFile: (file) => readFileSync(file, 'utf8'),
        exportEvents: async (request) => (await import('../audit-export/export-events.js')).exportEvents(request),
        exportMarts: async (...given) => (await import('../audit-export/export-events.js')).exportMarts(...given),
        onEnd,
        exitWith,
      }),
    events: async () =>
      (await import('../cli/events.js')).eventsCommand({
        copy: async (...given) => (await import('./copy-events.js')).copyEvents(...given),
        seal: async (from, to, onProgress) =>
          (await import('./copy-events.js')).sealEvents(from, to, configure({}), onProgress),
        print,
        watched: watchedOn(stderr),
      }),
    vault: async () =>
      (await import('../cli/serve.js')).vaultCommand({
        start: async () => {
          const { startVault, vaultFaults } = await import('./vault-service.js');
          return startVault(await configuredToServe(surroundings, {}, vaultFaults));
        },
        rotate: () => rotated(surroundings),
        print,
        onEnd,
        exit,
      }),
    'read-models': async () =>
      (await import('../cli/read-models.js')).readModelsCommand({
        inspect: async () => (await import('./read-models.js')).inspectReadModels(configure({})),
        rebuild: async () => (await import('./read-models.js')).rebuildReadModels(configure({}), printError),
        print,
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
  const exitWith = (exitCode: number): void => {
    code = exitCode;
  };
  const commands = { ...serviceCommands(surroundings, exitWith), ...logCommands(surroundings, exitWith) };
  for (const command of await wanted(commands, args)) program.addCommand(command);
  inherit(surroundings, program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code, hasFailed: false };
  } catch (error) {
    return { code: printFailure(error, surroundings), hasFailed: true };
  }
};
