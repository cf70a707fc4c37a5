import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Seconds of processor time that a process has taken; NaN if the system does not report it. */
export const processorSeconds = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
};
