import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * By how much the heap may grow beyond what was in use at the last collection before the next one. Node lets it grow to
 * four times that where the machine has much memory: a hundred large answers then leave hundreds of megabytes of garbage.
 * By half, collections are more frequent and shorter. While the whole process is small, a heap may grow by so many bytes, up
 * to three times its size: to collect a small heap for every few megabytes took a fifth of the processor time of a PUT.
 */
const [share, most] = [0.5, 2];
const bytes = 64 * 2 ** 20;
/** A process is small with so much memory, its threads included. */
const small = 280 * 2 ** 20;

/** How often it is looked at, in milliseconds. */
const interval = 200;

let percent = 0;
const limit = (): void => {
  const isSmall = process.memoryUsage.rss() < small;
  const growth = isSmall ? Math.max(share, Math.min(most, bytes / getHeapStatistics().used_heap_size)) : share;
  const next = Math.round(growth * 10) * 10;
  if (next !== percent) setFlagsFromString(`--heap-growing-percent=${next}`);
  percent = next;
};

/** Keeps the garbage of this process, its threads included, in proportion to what is in use. */
export const limitHeapGrowth = (): void => {
  limit();
  setInterval(limit, interval).unref();
};
