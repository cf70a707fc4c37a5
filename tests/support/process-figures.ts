import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

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
