import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Below the ports that Linux uses for outgoing connections (32768 to 60999), of which the tests open many. */
const [lowest, count] = [20_000, 12_000];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
};

/** A port that nobody listens on, and that no outgoing connection will use. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
  }
};

/** Node options for a process that runs for seconds only: optimising its code takes a fifth of its start. */
export const shortLivedNodeOptions = ['--no-opt'];

/* Figures of a process from /proc. All are 0 on systems without it, or once the process has ended. */

const textOf = (...path: ReadonlyArray<string>): string => {
  try {
    return readFileSync(join('/proc', ...path), 'latin1');
  } catch {
    return '';
  }
};

/** The most memory that a process has used, in MB. */
export const peakMemoryOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(textOf(String(pid), 'status'))?.[1] ?? 0) / 1_024;

/** Number of open file descriptors of a process. */
export const descriptorsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

/** Milliseconds for which the main thread of a process was ready to run but had no processor, since its start. */
export const notRun = (pid: number): number =>
  Number(textOf(String(pid), 'task', String(pid), 'schedstat').split(' ')[1] ?? 0) / 1_000_000;

const ticksPerSecond = 100;

/** Seconds of processor time that a process has taken. */
export const processorSeconds = (pid: number): number => {
  const fields = textOf(String(pid), 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
};
