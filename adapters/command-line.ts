import * as E from 'fp-ts/lib/Either.js';
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { onAskedToEnd } from './cli/asked-to-end.js';
import { auditCommand } from './cli/audit/audit.js';
import { creditsCommand } from './cli/credits.js';
import { undoCommand } from './cli/undo.js';
import { demoCommand } from './cli/demo.js';
import { eventsCommand } from './cli/events.js';
import { importCommand } from './cli/import.js';
import { keysCommand } from './cli/keys.js';
import { progressOn, watchedOn } from './cli/progress.js';
import { readModelsCommand } from './cli/read-models.js';
import { readableError } from './cli/readable-error.js';
import { serveCommand } from './cli/serve.js';
import { hostFault } from './config-host.js';
import { type Config, defaults, readConfig } from './config.js';

// What a command works with is imported when it runs: all of it takes half a second.

const print = (line: string): void => console.log(line);
const printError = (line: string): void => console.error(line);

const packageFile = new URL('../../package.json', import.meta.url);
const Package = t.type({ version: t.string });

const versionIn = (text: string): string => {
  const parsed: unknown = JSON.parse(text);
  return Package.is(parsed) ? parsed.version : 'unknown';
};

const usage = 2;
const failed = 1;

type Settings = Readonly<Record<string, string>>;

const refuseConfiguration = (wrong: ReadonlyArray<string>): never => {
  printError(`The configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  return process.exit(usage);
};

const configured = (settings: Settings): Config => {
  const config = readConfig({ ...process.env, ...settings });
  return E.isRight(config) ? config.right : refuseConfiguration(config.left);
};

/** The configuration of a service: where it is to listen is checked as well. */
const configuredToServe = async (settings: Settings): Promise<Config> => {
  const environment = { ...process.env, ...settings };
  const config = readConfig(environment);
  const fault = await hostFault(environment['HOST'] || defaults.host);
  const wrong = [...(E.isLeft(config) ? config.left : []), ...(fault === null ? [] : [fault])];
  return E.isRight(config) && wrong.length === 0 ? config.right : refuseConfiguration(wrong);
};

const program = new Command('media-analysis')
  .description('Joins the faces that video analysis sees with the speakers that audio analysis hears.')
  .version(versionIn(readFileSync(packageFile, 'utf8')))
  .addCommand(
    serveCommand({
      start: async (settings) => {
        const config = await configuredToServe(settings);
        return (await import('./main.js')).startService(config);
      },
      print,
      onEnd: onAskedToEnd,
      exit: (code) => process.exit(code),
    }),
  )
  .addCommand(
    demoCommand({
      start: async () => (await import('./demo-service.js')).startDemo(),
      importClip: async (...given) => (await import('./demo-service.js')).importClip(...given),
      print,
    }),
  )
  .addCommand(
    importCommand({
      importFiles: async (...given) => (await import('./import/import-files.js')).importFiles(...given),
      env: process.env,
      print,
      printError: (message) => printError(`error: ${message}`),
      progress: progressOn(process.stderr),
      exitWith: (code) => {
        process.exitCode = code;
      },
    }),
  )
  .addCommand(keysCommand({ env: process.env, print }))
  .addCommand(creditsCommand({ env: process.env, print }))
  .addCommand(undoCommand({ env: process.env, print }))
  .addCommand(
    auditCommand({
      open: async (options) => (await import('./audit-source.js')).openAuditSource(options, configured),
      print,
      isTerminal: process.stdout.isTTY,
      watched: watchedOn(process.stderr),
      readFile: (file) => readFileSync(file, 'utf8'),
      exportEvents: async (request) => (await import('./audit-export/export-events.js')).exportEvents(request),
      exportMarts: async (...given) => (await import('./audit-export/export-marts.js')).exportMarts(...given),
      onEnd: onAskedToEnd,
      exitWith: (code) => {
        process.exitCode = code;
      },
    }),
  )
  .addCommand(
    eventsCommand({
      copy: async (...given) => (await import('./copy-events.js')).copyEvents(...given),
      print,
      printError,
    }),
  )
  .addCommand(
    readModelsCommand({
      inspect: async () => (await import('./read-models-care.js')).inspectReadModels(configured({})),
      rebuild: async (onProgress) =>
        (await import('./read-models-care.js')).rebuildReadModels(configured({}), onProgress),
      print,
      printError,
    }),
  );

/** Subcommands that are built elsewhere do not inherit this; import sees to its exit itself. */
const inherit = (command: Command): void => {
  if (command.name() !== 'import') command.exitOverride();
  command.showHelpAfterError('--help tells how it is used.');
  command.commands.forEach(inherit);
};

const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  printError(`error: ${readableError(error)}`);
  return failed;
};

inherit(program);
try {
  await program.parseAsync(process.argv);
} catch (error) {
  // What a start that failed had opened, a connection to EventStoreDB above all, must not keep the process.
  process.exit(exitCodeOf(error));
}
