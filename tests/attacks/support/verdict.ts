import type { Measured } from './under-attack.js';

/**
 * Longest response time of GET /healthz and of another account's reads in milliseconds, without time in which the process was
 * ready but had no processor.
 */
const longestWait = 500;
const maxMemoryMb = 700;
/** Requests in flight may take ten seconds. */
const maxStopMs = 11_000;

/** The checks that failed under an attack. */
export const faultsIn = (measured: Measured): ReadonlyArray<string> => {
  const { probed, memory, descriptors, ended, stopping, outcome } = measured;
  const { service } = probed;
  const checks: ReadonlyArray<readonly [isFault: boolean, text: string]> = [
    [ended !== null, `the service ended under the attack: ${ended}`],
    [
      service.own > longestWait,
      `a health check or a read took ${Math.round(service.own)} ms, the limit is ${longestWait} ms`,
    ],
    [
      ended === null && service.failures > 0,
      `${service.failures} of ${service.requests} health checks and reads failed`,
    ],
    [service.requests === 0, 'no health check or read was answered'],
    [memory > maxMemoryMb, `${Math.round(memory)} MB of memory, the limit is ${maxMemoryMb} MB`],
    [descriptors > 0, `${descriptors} file descriptors were not closed`],
    [ended === null && stopping.how !== 0, `after SIGTERM the service ended with ${stopping.how}`],
    [
      stopping.ms > maxStopMs,
      `the service ended ${Math.round(stopping.ms)} ms after SIGTERM, the limit is ${maxStopMs} ms`,
    ],
  ];
  return [...checks.flatMap(([isFault, text]) => (isFault ? [text] : [])), ...outcome.faults];
};

const columns = [26, 13, 13, 10, 12, 8] as const;
const line = (cells: ReadonlyArray<string>): string =>
  cells
    .map((cell, at) => cell.padEnd(columns[at] ?? 0))
    .join(' ')
    .trimEnd();

export const heading = line([
  'attack',
  'max response',
  'wall clock',
  'idle server',
  'peak memory',
  'duration',
  'result',
]);

/** One row of the table, followed by its faults. */
export const rowOf = (name: string, measured: Measured): string => {
  const { probed, memory, seconds } = measured;
  const faults = faultsIn(measured);
  const row = line([
    name,
    `${probed.service.own.toFixed(0)} ms`,
    `${probed.service.clock.toFixed(0)} ms`,
    `${probed.bystander.clock.toFixed(0)} ms`,
    `${memory.toFixed(0)} MB`,
    `${seconds.toFixed(1)} s`,
    faults.length === 0 ? 'passed' : 'FAILED',
  ]);
  return [row, ...faults.map((fault) => `    ${fault}`)].join('\n');
};
