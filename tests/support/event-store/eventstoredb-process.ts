import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { shortLivedNodeOptions, freePort } from '../processes.js';
import { addressOf, urlOf } from './eventstoredb-server.js';
import { silentLog } from './stores.js';
import { type Version, versionOf } from './versions.js';

/** The protocol server, or the server of `EVENT_STORE_SERVER_CMD`, in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** Kills it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Sends SIGSTOP: its connections stay open, but nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

interface ProcessSettings {
  readonly file: string;
  /** Default: any free port. */
  readonly port?: number;
  readonly version?: Version | null;
  /** Options of node for our protocol server. The default suits short-lived processes; measurements set their own. */
  readonly node?: ReadonlyArray<string>;
}

const readyWithin = 30_000;

/** The EventStoreDB version that test servers imitate unless a test chooses one; null: the embedded log as it is served. */
export const testVersion: Version | null = versionOf(process.env['TEST_EVENT_STORE_VERSION'] ?? '');

/** Starts the server on `$PORT` with its data at `$DB`. */
const serverCommand = process.env['EVENT_STORE_SERVER_CMD'] ?? null;

/** Whether the tests use our protocol server, and not a server that `EVENT_STORE_SERVER_CMD` starts. */
export const isServerOurs = serverCommand === null;

const program = fileURLToPath(new URL('./eventstoredb-program.js', import.meta.url));

/** A real server reads variables with these prefixes as its own options, and exits if it does not know one. */
const isForServer = ([name]: readonly [string, unknown]): boolean => !/^(EVENTSTORE|KURRENTDB)_/i.test(name);

const untilAnswering = async (url: string, hasEnded: () => boolean): Promise<void> => {
  const { store, close } = openEventStoreDb(addressOf(`${url}&defaultDeadline=1000`), silentLog);
  const end = performance.now() + readyWithin;
  while (E.isLeft(await store.head()())) {
    if (hasEnded() || performance.now() > end) throw new Error('the server does not answer');
    await setTimeout(20);
  }
  await close();
};

/**
 * Starts the server on a file, which is kept; resolves once it can be used. To restart it after a kill, pass the same port. With
 * `EVENT_STORE_SERVER_CMD` the file is whatever the command makes of it.
 */
export const startServerProcess = async ({
  file,
  port: wanted = 0,
  version = testVersion,
  node = shortLivedNodeOptions,
}: ProcessSettings): Promise<ServerProcess> => {
  const port = wanted === 0 ? await freePort() : wanted;
  const ours = { PORT: `${port}`, DB: file, VERSION: version ?? '' };
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(isForServer)), ...ours };
  const options: SpawnOptions = { detached: true, stdio: ['ignore', 'ignore', 'inherit'], env };
  const child =
    serverCommand === null
      ? spawn(process.execPath, [...node, program], options)
      : spawn(serverCommand, { ...options, shell: true });
  const { pid } = child;
  if (pid === undefined) throw new Error('the server could not be started');
  const exited = once(child, 'exit');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  /** Signals the process group: the command and all processes that it started. */
  const send = (signal: NodeJS.Signals): void => {
    if (!hasEnded()) process.kill(-pid, signal);
  };
  const kill = (): void => send('SIGKILL');
  process.once('exit', kill);
  const url = urlOf(port, {});
  await untilAnswering(url, hasEnded);
  return {
    pid,
    port,
    url,
    kill: async () => {
      kill();
      await exited;
      process.removeListener('exit', kill);
    },
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
  };
};
