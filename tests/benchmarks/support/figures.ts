export const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const percentile = (values: ReadonlyArray<number>, percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
};

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Runs the work. Returns its duration in milliseconds. */
export const took = async (work: () => Promise<unknown> | void): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Whether the short form was requested, which only shows that the script runs. */
export const quick = process.argv.includes('--quick');
