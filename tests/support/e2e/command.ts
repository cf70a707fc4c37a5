import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../../adapters/composition/command-line.js';

const bin = fileURLToPath(new URL('../../../adapters/bin.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Command {
  /** Resolves once the command has printed this; rejects when it ends before, or says nothing for a minute. */
  readonly prints: (pattern: RegExp) => Promise<string>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

const patience = 60_000;

/** The command line in a process of its own, with no more of the environment than given, and ended when it takes long. */
export const command = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  patience_ms = patience,
): Command => {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), patience_ms);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(tooLong);
      resolve({ code, out, err });
    });
  });
  return {
    ended,
    signal: (signal) => void child.kill(signal),
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out)?.[0];
          if (found !== undefined) resolve(found);
        };
        child.stdout.on('data', look);
        look();
        void ended.then(() => reject(new Error(`ended without ${String(pattern)}: ${out}${err}`)));
      }),
  };
};

/** The command line within this process: for commands that end by themselves, and whose process is not the point. */
export const ranHere = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  let out = '';
  let err = '';
  const { code } = await runCommandLine(args, {
    env,
    print: (line) => (out += `${line}\n`),
    printError: (line) => (err += `${line}\n`),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    onEnd: () => undefined,
    exit: (exitCode) => {
      throw new Error(`a command ended this process with ${exitCode}`);
    },
  });
  return { code, out, err };
};
