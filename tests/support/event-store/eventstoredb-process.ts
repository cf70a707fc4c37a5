import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ServerSettings, urlOf } from './eventstoredb-server.js';

/** The protocol server in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** Ends it at once, with no chance to finish anything. */
  readonly kill: () => Promise<void>;
  /** Asks it to end, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Holds it in the middle of whatever it does: its connections stay open and mute. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

type ProcessSettings = Pick<ServerSettings, 'tls' | 'credentials' | 'port'> & { readonly file: string };

/** Starts it on a file, which stays; resolves once the port is open. To go on after a kill, start it with that port. */
export const startServerProcess = async (settings: ProcessSettings): Promise<ServerProcess> => {
  const { file, port = 0, tls = null, credentials = null } = settings;
  const program = fileURLToPath(new URL('./eventstoredb-program.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify({ file, port, tls, credentials })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => null)]);
  if (first === null) throw new Error('the server ended before its port was open');
  const bound = Number(first[0]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    port: bound,
    url: urlOf(bound, { tls, credentials }),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
};
