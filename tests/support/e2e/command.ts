import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { shortLivedNodeOptions } from '../processes.js';
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

/** What a command prints, and who waits for it. */
class Output {
  out = '';
  err = '';
  readonly #looking = new Set<() => void>();

  readonly print = (text: string): void => {
    this.out += text;
    this.#looking.forEach((look) => look());
  };
  readonly complain = (text: string): void => void (this.err += text);

  readonly prints =
    (ended: Promise<Ended>): Command['prints'] =>
    (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(this.out)?.[0];
          if (found !== undefined) resolve(found);
        };
        this.#looking.add(look);
        look();
        ended.then(() => reject(new Error(`ended without ${String(pattern)}: ${this.out}${this.err}`)), reject);
      });
}

/** The command line in a separate process, with only the given environment; it is killed if it takes too long. */
export const spawnCommand = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  patience_ms = 60_000,
): Command => {
  const child = spawn(process.execPath, [...shortLivedNodeOptions, bin, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = new Output();
  child.stdout.setEncoding('utf8').on('data', output.print);
  child.stderr.setEncoding('utf8').on('data', output.complain);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), patience_ms);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(tooLong);
      resolve({ code, out: output.out, err: output.err });
    });
  });
  return { ended, signal: (signal) => void child.kill(signal), prints: output.prints(ended) };
};

/**
 * The command line within this process, for tests that need no separate process: the log of a command is not shown,
 * and any signal stops it.
 */
export const startCommand = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Command => {
  const output = new Output();
  let askToEnd: (() => void) | null = null;
  const ended = new Promise<Ended>((resolve, reject) => {
    const end = (code: number): void => resolve({ code, out: output.out, err: output.err });
    runCommandLine(args, {
      env: { LOG_LEVEL: 'silent', ...env },
      print: (line) => output.print(`${line}\n`),
      printError: (line) => output.complain(`${line}\n`),
      stdout: { write: output.print },
      stderr: { write: output.complain },
      onEnd: (endIt) => (askToEnd = endIt),
      exit: end,
    }).then(({ code, hasFailed }) => {
      // The service runs until it is stopped.
      if (hasFailed || args[0] !== 'serve') end(code);
    }, reject);
  });
  return { ended, signal: () => askToEnd?.(), prints: output.prints(ended) };
};

/** Runs a command that ends by itself. */
export const runCommand = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  startCommand(args, env).ended;
