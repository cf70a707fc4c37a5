import * as E from 'fp-ts/lib/Either.js';
import { type Config, readConfig } from '../config/config.js';
import type { Screen, watchedOn } from './terminal.js';

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

/** What a command works with. */
export interface CommandNeeds extends Surroundings {
  /** Runs work that reads a log or files, and shows its progress on a terminal. */
  readonly watched: ReturnType<typeof watchedOn>;
  /** Sets the exit code of a command that has run: 0 success, 1 failure or faults found. */
  readonly exitWith: (code: 0 | 1) => void;
}

/** Variables of the environment are wrong: exit code 2. */
export class WrongConfiguration extends Error {
  constructor(wrong: ReadonlyArray<string>) {
    super(`The configuration is wrong:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  }
}

/** The configuration in an environment; `faults`: what is wrong besides. Throws if anything is wrong. */
export const configured = (env: Surroundings['env'], faults: ReadonlyArray<string> = []): Config => {
  const config = readConfig(env);
  const wrong = [...(E.isLeft(config) ? config.left : []), ...faults];
  if (E.isLeft(config) || wrong.length > 0) throw new WrongConfiguration(wrong);
  return config.right;
};
