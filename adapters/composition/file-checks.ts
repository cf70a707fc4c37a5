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

/** What a process said last, or how it ended without a word. */
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
    // Its end can be seen before its last words are heard; what closes has been heard out.
    child.once('close', (code, signal) =>
      resolve(code === 0 ? { said } : { died: `reading it ended a process with ${signal ?? `code ${code}`}` }),
    );
  });
  void job.then((told) => child.send(told, constVoid));
  return { child, ended };
};

/** A check of a data file that goes on in a process of its own. */
export interface FileCheck {
  /** What is wrong with the file; null for nothing. Never rejects. */
  readonly damage: Promise<string | null>;
  /** Resolves when the process reads the file: starting it may take long on a busy machine. */
  readonly started: Promise<void>;
  /** Breaks the check off: it then finds nothing. */
  readonly stop: () => void;
}

/** The lowest priority: the service goes first. */
const lowest = 19;

/** Reads a data file in a process of its own, the whole of it or (`opening-log`) its schema, and tells what is wrong. */
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

/** Everything that is wrong with a log's file itself, read in a process of its own. */
export const inspectLogFile = async (file: string, onProgress: OnProgress): Promise<ReadonlyArray<Fault>> => {
  const end = await start(Promise.resolve({ what: 'inspect-log', file }), (message) => {
    if (Progress.is(message)) onProgress(message.progress);
  }).ended;
  if ('said' in end && Faults.is(end.said)) return end.said.faults;
  const reason = 'died' in end ? end.died : 'its check did not answer';
  const message = `the file cannot be read: ${reason}`;
  return [{ kind: 'broken_storage', position: null, stream: null, revision: null, message }];
};
