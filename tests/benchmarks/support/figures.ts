/** Throws if nothing was measured. */
export const percentile = (values: ReadonlyArray<number>, percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
  if (value === undefined || !values.every(Number.isFinite)) throw new Error('nothing was measured');
  return value;
};

export const median = (values: ReadonlyArray<number>): number => percentile(values, 50);

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Whether the short form was requested, which only shows that the script runs. */
export const quick = process.argv.includes('--quick');
