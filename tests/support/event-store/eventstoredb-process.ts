import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { shortLivedNodeOptions } from '../short-lived-process.js';
import { freePort } from '../free-port.js';
import { addressOf } from './address-of.js';
import { type ServerSettings, urlOf } from './eventstoredb-server.js';
import { silentLog } from './silent-log.js';
import { type Version, isVersion } from './versions.js';

/** The protocol server, or the server of `EVENT_STORE_SERVER_CMD`, in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** Kills it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and waits for the end of the process; after ten seconds it is killed. */
  readonly stop: () => Promise<void>;
  /** Sends SIGSTOP: its connections stay open, but nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

type ProcessSettings = Pick<ServerSettings, 'tls' | 'credentials' | 'port' | 'version' | 'systemEventsPerMinute'> & {
  readonly file: string;
  /** A shell command that starts the server; null starts our protocol server. Default: `EVENT_STORE_SERVER_CMD`. */
  readonly command?: string | null;
  /** Options of node for our protocol server. The default suits short-lived processes; measurements set their own. */
  readonly node?: ReadonlyArray<string>;
};

const stopWithin = 10_000;
const readyWithin = 30_000;

const versionOf = (text: string): Version | null => {
  if (text === '') return null;
  if (!isVersion(text)) throw new Error(`there is no version ${text} to behave as`);
  return text;
};

/** The EventStoreDB version that test servers imitate unless a test chooses one; null: the embedded log as it is served. */
export const testVersion: Version | null = versionOf(process.env['TEST_EVENT_STORE_VERSION'] ?? '');

/** Starts the server on `$PORT` with its data at `$DB`. */
const serverCommand = process.env['EVENT_STORE_SERVER_CMD'] ?? null;

/** Whether the tests use our protocol server, and not a server that `EVENT_STORE_SERVER_CMD` starts. */
export const isServerOurs = serverCommand === null;

const untilAnswering = async (url: string, exited: () => boolean): Promise<void> => {
  const { store, close } = openEventStoreDb(addressOf(`${url}&defaultDeadline=1000`), silentLog);
  const end = performance.now() + readyWithin;
  while (E.isLeft(await store.head()())) {
    if (exited() || performance.now() > end) throw new Error('the server of EVENT_STORE_SERVER_CMD does not answer');
    await setTimeout(100);
  }
  await close();
};

/** The server reads variables with these prefixes as its own options, and exits if it does not know one. */
const isForServer = ([name]: readonly [string, unknown]): boolean => !/^(EVENTSTORE|KURRENTDB)_/i.test(name);

const startCommand = async (command: string, file: string, port: number) => {
  const env = { ...Object.fromEntries(Object.entries(process.env).filter(isForServer)), PORT: String(port), DB: file };
  const child = spawn(command, { shell: true, detached: true, stdio: 'ignore', env });
  await untilAnswering(urlOf(port, {}), () => child.exitCode !== null);
  return child;
};

const startProgram = async (settings: ProcessSettings): Promise<readonly [ChildProcess, number]> => {
  const { file, port = 0, tls = null, credentials = null, version = testVersion, systemEventsPerMinute = 0 } = settings;
  const { node = shortLivedNodeOptions } = settings;
  const program = fileURLToPath(new URL('./eventstoredb-program.js', import.meta.url));
  const given = JSON.stringify({ file, port, tls, credentials, version, systemEventsPerMinute });
  const child = spawn(process.execPath, [...node, program, given], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit').then(() => null)]);
  if (first === null) throw new Error('the server ended before its port was open');
  return [child, Number(first[0])];
};

const start = async (settings: ProcessSettings): Promise<readonly [ChildProcess, number]> => {
  const { file, port = 0, tls = null, credentials = null, command = serverCommand } = settings;
  if (command === null || tls !== null || credentials !== null) return startProgram(settings);
  const given = port === 0 ? await freePort() : port;
  return [await startCommand(command, file, given), given];
};

/**
 * Starts the server on a file, which is kept; resolves once it can be used. To restart it after a kill, pass the same port. With
 * `EVENT_STORE_SERVER_CMD` the file is whatever the command makes of it, and TLS and credentials are served by ours.
 */
export const startServerProcess = async (settings: ProcessSettings): Promise<ServerProcess> => {
  const [child, port] = await start(settings);
  const { pid } = child;
  if (pid === undefined) throw new Error('the server could not be started');
  const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
  let over = false;
  void exited.then(() => {
    over = true;
  });
  /** Signals the process group: the command and all processes that it started. */
  const send = (signal: NodeJS.Signals): void => {
    if (!over) process.kill(-pid, signal);
  };
  const killed = (): void => send('SIGKILL');
  process.once('exit', killed);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    send(signal);
    const late = globalThis.setTimeout(killed, stopWithin);
    await exited;
    clearTimeout(late);
    process.removeListener('exit', killed);
  };
  return {
    pid,
    port,
    url: urlOf(port, settings),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
  };
};
