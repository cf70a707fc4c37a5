import type { Measured } from './under-attack.js';

/**
 * GET /healthz may wait so many milliseconds, not counting those in which the machine was busy with something else: on a
 * quiet machine, and on one where what runs has to share memory and caches with others.
 */
export const longestWaits = { quiet: 100, busy: 250 } as const;
/** MB. */
const mostMemory = 600;
/** Milliseconds from SIGTERM to the end: what is in flight may take ten seconds. */
const longestStop = 11_000;

/** All that an attack did and should not have done. */
export const faultsIn = (measured: Measured, longestWait: number): ReadonlyArray<string> => {
  const { probed, memory, descriptors, ended, stopping, outcome } = measured;
  const { service } = probed;
  const checks: ReadonlyArray<readonly [isFault: boolean, text: string]> = [
    [ended !== null, `it ended the service: ${ended}`],
    [service.own > longestWait, `others waited ${Math.round(service.own)} ms, ${longestWait} allowed`],
    [ended === null && service.failures > 0, `${service.failures} of ${service.asked} health checks failed`],
    [service.asked === 0, 'no health check was answered'],
    [memory > mostMemory, `${Math.round(memory)} MB, ${mostMemory} allowed`],
    [descriptors > 0, `${descriptors} descriptors stayed open`],
    [ended === null && stopping.how !== 0, `after SIGTERM it ended with ${stopping.how}`],
    [stopping.ms > longestStop, `it ended ${Math.round(stopping.ms)} ms after SIGTERM`],
  ];
  return [...checks.flatMap(([isFault, text]) => (isFault ? [text] : [])), ...outcome.faults];
};

const columns = [26, 13, 13, 10, 12, 8] as const;
const line = (cells: ReadonlyArray<string>): string =>
  cells
    .map((cell, at) => cell.padEnd(columns[at] ?? 0))
    .join(' ')
    .trimEnd();

export const heading = line(['attack', 'longest wait', 'by the clock', 'bystander', 'peak memory', 'took', 'verdict']);

/** A line of the table; what is wrong stands below it. */
export const rowOf = (name: string, measured: Measured, longestWait: number): string => {
  const { probed, memory, seconds } = measured;
  const faults = faultsIn(measured, longestWait);
  const row = line([
    name,
    `${probed.service.own.toFixed(0)} ms`,
    `${probed.service.clock.toFixed(0)} ms`,
    `${probed.bystander.clock.toFixed(0)} ms`,
    `${memory.toFixed(0)} MB`,
    `${seconds.toFixed(1)} s`,
    faults.length === 0 ? 'holds' : 'FAILS',
  ]);
  return [row, ...faults.map((fault) => `    ${fault}`)].join('\n');
};
