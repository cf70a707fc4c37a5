import { type PerformanceEntry, PerformanceObserver, constants } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * By how much the heap may grow beyond what was in use at the last collection before the next one. Node lets it grow to
 * four times that where the machine has much memory: a hundred large answers then leave hundreds of megabytes of garbage.
 * A large heap may grow by half: collections are more frequent and shorter this way. A small one may grow by so many bytes,
 * up to three times its size: to collect it for every few megabytes took a fifth of the processor time of a PUT.
 */
const [share, most] = [0.5, 2];
const bytes = 64 * 2 ** 20;

const limit = (): void => {
  const growth = Math.max(share, Math.min(most, bytes / getHeapStatistics().used_heap_size));
  setFlagsFromString(`--heap-growing-percent=${Math.round(growth * 100)}`);
};

/** Whether all of the heap was collected, and not only what is new. */
const isWhole = (entry: PerformanceEntry): boolean =>
  'detail' in entry &&
  typeof entry.detail === 'object' &&
  entry.detail !== null &&
  'kind' in entry.detail &&
  entry.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

const observer = new PerformanceObserver((list) => {
  if (list.getEntries().some(isWhole)) limit();
});

/** Keeps the garbage of this process, its threads included, in proportion to what is in use. */
export const limitHeapGrowth = (): void => {
  limit();
  observer.observe({ entryTypes: ['gc'] });
};
