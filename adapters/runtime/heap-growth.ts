import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * The factor by which the heap may grow over the live data of the last collection before the next one. On large
 * machines Node.js allows a factor of four: a hundred large answers then leave hundreds of megabytes of garbage. Growth
 * by half makes collections more frequent and shorter. While the whole process is small, the heap may grow by this many
 * bytes, up to three times its size: collecting a small heap every few megabytes took a fifth of the processor time of
 * a PUT.
 */
const [minGrowth, maxGrowth] = [0.5, 2];
const bytes = 64 * 2 ** 20;
/** A process with less memory than this, including its threads, is small. */
const small = 280 * 2 ** 20;

/** How often the limit is adjusted, in milliseconds. */
const intervalMs = 200;

let percent = 0;
const limit = (): void => {
  const isSmall = process.memoryUsage.rss() < small;
  const growth = isSmall
    ? Math.max(minGrowth, Math.min(maxGrowth, bytes / getHeapStatistics().used_heap_size))
    : minGrowth;
  const next = Math.round(growth * 10) * 10;
  if (next !== percent) setFlagsFromString(`--heap-growing-percent=${next}`);
  percent = next;
};

/** Keeps the garbage of this process, including its threads, in proportion to its live data. */
export const limitHeapGrowth = (): void => {
  limit();
  setInterval(limit, intervalMs).unref();
};

let isKeptSmall = false;
const setSmall = (): void => setFlagsFromString('--heap-growing-percent=10');

/** Collects garbage so often that the heap is hardly larger than its live data: for commands that read large documents. */
export const keepHeapSmall = (): void => {
  isKeptSmall = true;
  setSmall();
};

/** Runs this without the costs of a heap that is kept small. */
export const whileHeapMayGrow = <Result>(run: () => Result): Result => {
  if (!isKeptSmall) return run();
  setFlagsFromString('--heap-growing-percent=0');
  try {
    return run();
  } finally {
    setSmall();
  }
};
