import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { constVoid } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { OnProgress } from '../../application/audit/read-log.js';
import type { Job } from './check-process.js';
import type { Fault } from '../../projections/audit/fault.js';
import { compiledScript } from '../runtime/package-files.js';

const program = fileURLToPath(compiledScript('composition/check-process.js'));

const Damage = t.type({ damage: t.union([t.string, t.null]) });
const Started = t.type({ started: t.literal(true) });
const Progress = t.type({
  progress: t.type({ events: t.number, share: t.union([t.number, t.null]), counted: t.string }),
});
const nullable = <Type>(codec: t.Type<Type>) => t.union([codec, t.null]);
const Faults = t.type({
  faults: t.readonlyArray(
    t.type({
      kind: t.literal('broken_storage'),
      position: nullable(t.string),
      stream: nullable(t.string),
      revision: nullable(t.number),
      message: t.string,
    }),
  ),
});

/** The last message of a process, or how it ended without one. */
type Ended = { readonly said: unknown } | { readonly died: string };

const start = (job: Promise<Job>, onMessage: (message: unknown) => void = constVoid) => {
  const child: ChildProcess = fork(program, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const ended = new Promise<Ended>((resolve) => {
    let said: unknown = null;
    child.on('message', (message) => {
      said = message;
      onMessage(message);
    });
    child.once('error', (error) => resolve({ died: error.message }));
    // `exit` can come before the last message has been read; `close` comes after it.
    child.once('close', (code, signal) =>
      resolve(code === 0 ? { said } : { died: `reading it ended a process with ${signal ?? `code ${code}`}` }),
    );
  });
  void job.then((told) => child.send(told, constVoid));
  return { child, ended };
};

/** A check of a data file that runs in its own process. */
export interface FileCheck {
  /** What is wrong with the file; null if nothing is. Never rejects. */
  readonly damage: Promise<string | null>;
  /** Resolves when the process begins to read the file: on a busy machine it may take long to start. */
  readonly started: Promise<void>;
  /** Stops the check, which then finds nothing. */
  readonly stop: () => void;
}

/** The lowest priority: the service comes first. */
const lowest = 19;

/** Reads a data file in its own process, all of it or (`opening-log`) only its schema, and reports what is wrong. */
export const startFileCheck = (job: Promise<Job>): FileCheck => {
  let tellStarted: () => void = constVoid;
  const started = new Promise<void>((resolve) => {
    tellStarted = resolve;
  });
  const { child, ended } = start(job, (message) => {
    if (Started.is(message)) tellStarted();
  });
  let isStopped = false;
  const damage = ended.then((end) => {
    if (isStopped) return null;
    if ('died' in end) return end.died;
    return Damage.is(end.said) ? end.said.damage : 'its check did not answer';
  });
  const slowDown = setTimeout(() => {
    try {
      if (child.pid !== undefined) setPriority(child.pid, lowest);
    } catch {
      // It has ended.
    }
  }, 1_000).unref();
  return {
    started,
    damage: damage.finally(() => clearTimeout(slowDown)),
    stop: () => {
      isStopped = true;
      child.kill('SIGKILL');
    },
  };
};

/** Lists everything that is wrong with the file of a log. It is read in its own process. */
export const inspectLogFile = async (file: string, onProgress: OnProgress): Promise<ReadonlyArray<Fault>> => {
  const end = await start(Promise.resolve({ what: 'inspect-log', file }), (message) => {
    if (Progress.is(message)) onProgress(message.progress);
  }).ended;
  if ('said' in end && Faults.is(end.said)) return end.said.faults;
  const reason = 'died' in end ? end.died : 'its check did not answer';
  const message = `the file cannot be read: ${reason}`;
  return [{ kind: 'broken_storage', position: null, stream: null, revision: null, message }];
};
