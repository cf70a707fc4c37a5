import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCommand } from './e2e/command.js';
import { eventStoreOf } from './engine.js';
import { freePort } from './processes.js';

/** A program that serves HTTP, in a separate process. */
export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first 200 on `/readyz`. */
  readonly ready_ms: number;
  /** Kills it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and waits for its end. */
  readonly stop: () => Promise<void>;
  readonly hasEnded: () => boolean;
  /** Its standard error, if `keepsOutput` is set. */
  readonly written: () => string;
  /** How it ended, once it has: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

interface Program {
  /** Compiled script and its arguments. */
  readonly script: ReadonlyArray<string>;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of node itself. */
  readonly node?: ReadonlyArray<string>;
  readonly patience_ms?: number;
  /** Collects its standard error instead of showing it. */
  readonly keepsOutput?: boolean;
}

export const adminKey = 'admin-key-of-the-tests';

const service = fileURLToPath(new URL('../../adapters/bin.js', import.meta.url));

/** The service's reason for not being ready; null once it is. */
const unreadiness = async (url: string): Promise<string | null> => {
  try {
    const response = await fetch(`${url}/readyz`);
    const text = await response.text();
    return response.ok ? null : text;
  } catch (error) {
    return String(error);
  }
};

/** Whether a port of this machine accepts connections. Much cheaper than a request to a port that nobody listens on. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const untilReady = async (url: string, child: ChildProcess, patience_ms: number): Promise<void> => {
  const end = performance.now() + patience_ms;
  const port = Number(new URL(url).port);
  for (;;) {
    const reason = (await isListening(port)) ? await unreadiness(url) : 'nobody listens on its port';
    if (reason === null) return;
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode} before it was ready`);
    if (performance.now() > end) throw new Error(`not ready within ${patience_ms} ms: ${reason}`);
    await setTimeout(5);
  }
};

/** Starts a program on the loopback address, on the port of `env` or a free one, and waits until `/readyz` answers 200. */
export const startProgram = async (program: Program): Promise<ServiceProcess> => {
  const { script, env = {}, node = [], patience_ms = 60_000, keepsOutput = false } = program;
  const port = Number(env['PORT'] ?? (await freePort()));
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const child = spawn(process.execPath, [...node, ...script], {
    stdio: ['ignore', 'ignore', keepsOutput ? 'pipe' : 'inherit'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ...env },
  });
  let written = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (written += text));
  const exited = once(child, 'exit');
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'SIGKILL')),
  );
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  try {
    await untilReady(url, child, patience_ms);
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    url,
    port,
    pid: child.pid ?? 0,
    ready_ms: performance.now() - start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    written: () => written,
    ended,
  };
};

const environmentOf = async (
  data_dir: string,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => ({
  DATA_DIR: data_dir,
  EVENT_STORE: env['EVENT_STORE'] ?? (await eventStoreOf(data_dir)),
  ADMIN_API_KEY: adminKey,
  LOG_LEVEL: 'error',
  MATCH_WORKER: 'off',
  ...env,
});

export type ServiceInProcess = Pick<ServiceProcess, 'url' | 'port' | 'stop'>;

/** The service within this process, for tests that neither kill nor measure it: it starts ten times as fast. */
export const startServiceInProcess = async (
  data_dir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceInProcess> => {
  const service = startCommand(['serve'], {
    HOST: '127.0.0.1',
    PORT: '0',
    ...(await environmentOf(data_dir, { LOG_LEVEL: 'silent', ...env })),
  });
  const url = (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
  while ((await unreadiness(url)) !== null) await setTimeout(5);
  return {
    url,
    port: Number(new URL(url).port),
    stop: async () => {
      service.signal('SIGTERM');
      await service.ended;
    },
  };
};

/** Starts the service on a data folder and the chosen engine; the embedded match worker is off. */
export const startServiceProcess = async (
  data_dir: string,
  { env = {}, ...program }: Partial<Program> = {},
): Promise<ServiceProcess> =>
  startProgram({
    script: [service, 'serve'],
    ...program,
    env: await environmentOf(data_dir, env),
  });
