import { existsSync, readFileSync } from 'node:fs';

/** The private memory of a process, in MB. */
export const memoryOf = (pid: number): number => {
  const [, kilobytes = '0'] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/** The resident memory of a process, in MB; 0 if the system does not report it. */
export const residentOf = (pid: number): number => {
  const status = `/proc/${pid}/status`;
  return existsSync(status) ? Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1_024 : 0;
};

const ticksPerSecond = 100;

/** The processor time that a process has taken, in ms. */
export const processorOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
};

/** The processor time that the main thread of a process has taken, in ms: to the nanosecond, while ticks are of 10 ms. */
export const mainThreadOf = (pid: number): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1_000_000;
};
