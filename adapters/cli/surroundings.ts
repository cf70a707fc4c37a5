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
