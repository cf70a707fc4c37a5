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

/** What it takes to do something so many times, as in `median 30.1 ms, fastest 29.2 ms of 31 runs; processor 29.8 ms`. */
export const timed = (runs: number, work: () => void): string => {
  const measured = Array.from({ length: runs }, () => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    work();
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    return { wall, processor: (user + system) / 1_000 };
  });
  const [walls, processor] = [measured.map(({ wall }) => wall), measured.map((one) => one.processor)];
  return (
    `median ${median(walls).toFixed(1)} ms, fastest ${Math.min(...walls).toFixed(1)} ms of ${runs} runs; ` +
    `processor ${median(processor).toFixed(1)} ms, at most ${Math.max(...processor).toFixed(1)}`
  );
};
