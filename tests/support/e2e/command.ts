import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { runCommandLine } from '../../../adapters/composition/command-line.js';

const bin = fileURLToPath(new URL('../../../adapters/bin.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Command {
  /** Resolves once the command has printed this; rejects if it ends first or prints nothing for a minute. */
  readonly prints: (pattern: RegExp) => Promise<string>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

const patience = 60_000;

/** What a command prints. */
const output = () => {
  let [out, err] = ['', ''];
  const looking = new Set<() => void>();
  return {
    text: () => ({ out, err }),
    print: (text: string): void => {
      out += text;
      looking.forEach((look) => look());
    },
    printError: (text: string): void => void (err += text),
    printsBefore:
      (ended: Promise<Ended>): Command['prints'] =>
      (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const found = pattern.exec(out)?.[0];
            if (found !== undefined) resolve(found);
          };
          looking.add(look);
          look();
          ended.then(() => reject(new Error(`ended without ${String(pattern)}: ${out}${err}`)), reject);
        }),
  };
};

/** The command line in a separate process, with only the given environment; it is killed if it takes too long. */
export const spawnCommand = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  patience_ms = patience,
): Command => {
  const child = spawn(process.execPath, [...shortLivedNodeOptions, bin, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { text, print, printError, printsBefore } = output();
  child.stdout.setEncoding('utf8').on('data', print);
  child.stderr.setEncoding('utf8').on('data', printError);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), patience_ms);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(tooLong);
      resolve({ code, ...text() });
    });
  });
  return { ended, signal: (signal) => void child.kill(signal), prints: printsBefore(ended) };
};

/**
 * The command line within this process, for tests that need no separate process: the log of a command is not shown,
 * and any signal stops it.
 */
export const startCommand = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Command => {
  const { text, print, printError, printsBefore } = output();
  let askToEnd: (() => void) | null = null;
  const ended = new Promise<Ended>((resolve, reject) => {
    const end = (code: number): void => resolve({ code, ...text() });
    runCommandLine(args, {
      env: { LOG_LEVEL: 'silent', ...env },
      print: (line) => print(`${line}\n`),
      printError: (line) => printError(`${line}\n`),
      stdout: { write: print },
      stderr: { write: printError },
      onEnd: (endIt) => (askToEnd = endIt),
      exit: end,
    }).then(({ code, hasFailed }) => {
      // The service runs until it is stopped.
      if (hasFailed || args[0] !== 'serve') end(code);
    }, reject);
  });
  return { ended, signal: () => askToEnd?.(), prints: printsBefore(ended) };
};

/** Runs a command that ends by itself. */
export const runCommand = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  startCommand(args, env).ended;
