import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/* Figures of a process from /proc. All are 0 on systems without it. */

const megabyte = 1_024;

const field = (pid: number, name: string): number => {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? 0 : Number(line[1]) / megabyte;
  } catch {
    return 0;
  }
};

const childrenOf = (pid: number): ReadonlyArray<number> => {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(join('/proc', String(pid), 'task', thread, 'children'), 'utf8')
        .split(' ')
        .filter((child) => child !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
};

/** Resident memory of a process and of those that it started, in MB. */
const treeMemory = (pid: number): number =>
  field(pid, 'VmRSS') + childrenOf(pid).reduce((sum, child) => sum + treeMemory(child), 0);

/** Number of open file descriptors of a process; 0 once it has ended. */
export const descriptorsOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

/** Milliseconds for which the main thread of a process has been ready to run but had no processor, since its start. */
export const notRun = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1_000_000;
  } catch {
    return 0;
  }
};

const sample_ms = 20;

/** Samples the memory of a process and its children. `end` returns the peak in MB. */
export const watchMemory = (pid: number): { readonly end: () => number } => {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, treeMemory(pid), field(pid, 'VmHWM'));
  };
  const timer = setInterval(look, sample_ms);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return most;
    },
  };
};

/** Resident memory of a process now, in MB. */
export const memoryOf = treeMemory;

/** Bytes of the event log in a data folder. */
export const sizeOfLog = (data_dir: string): number =>
  ['events.db', 'events.db-wal'].reduce((sum, name) => {
    try {
      return sum + statSync(join(data_dir, name)).size;
    } catch {
      return sum;
    }
  }, 0);
