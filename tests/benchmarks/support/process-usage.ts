import { existsSync, readFileSync } from 'node:fs';

/** The resident memory of a process, in MB; 0 if the system does not report it. */
export const residentOf = (pid: number): number => {
  const status = `/proc/${pid}/status`;
  return existsSync(status) ? Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1_024 : 0;
};
