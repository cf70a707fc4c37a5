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

/** A number that the command line gives at a place, beside flags; else the usual one, or the one of the short form. */
export const count = (place: number, usual: number, short: number): number => {
  const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))[place];
  const value = given === undefined ? (quick ? short : usual) : Number(given);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${given} is no number of 1 or more`);
  return value;
};
