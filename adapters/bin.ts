#!/usr/bin/env node
import * as E from 'fp-ts/lib/Either.js';
import { Command, CommanderError } from 'commander';
import { demoCommand } from './cli/demo.js';
import { importCommand } from './cli/import.js';
import { keysCommand } from './cli/keys.js';
import { serveCommand } from './cli/serve.js';
import { type Config, readConfig } from './config.js';
import { importFiles } from './import/import-files.js';
import { importClip, startDemo } from './demo-service.js';
import { startService } from './main.js';

const print = (line: string): void => console.log(line);
const printError = (line: string): void => console.error(line);

const usage = 2;
const failed = 1;

const configured = (): Config => {
  const config = readConfig(process.env);
  if (E.isRight(config)) return config.right;
  printError(`The configuration is wrong:\n${config.left.map((wrong) => `  ${wrong}`).join('\n')}`);
  return process.exit(usage);
};

const onEnd = (end: () => void): void => {
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
};

const program = new Command('media-analysis')
  .description('Joins the faces that video analysis sees with the speakers that audio analysis hears.')
  .showHelpAfterError()
  .addCommand(
    serveCommand({ start: () => startService(configured()), print, onEnd, exit: (code) => process.exit(code) }),
  )
  .addCommand(demoCommand({ start: startDemo, importClip, print }))
  .addCommand(keysCommand({ env: process.env, print }))
  .addCommand(
    importCommand({
      importFiles,
      env: process.env,
      print,
      printError,
      exitWith: (code) => {
        process.exitCode = code;
      },
    }),
  );

/** Subcommands that are built elsewhere do not inherit this; import sees to it itself. */
const withoutExit = (command: Command): void => {
  if (command.name() !== 'import') command.exitOverride();
  command.commands.forEach(withoutExit);
};

const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage;
  printError(error instanceof Error ? error.message : String(error));
  return failed;
};

withoutExit(program);
try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
