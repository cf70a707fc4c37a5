import { setFlagsFromString } from 'node:v8';

/**
 * By how much the heap may grow beyond what was in use at the last collection before the next one, in percent. Node lets
 * it grow to four times that where the machine has much memory: a hundred large answers then leave hundreds of megabytes
 * of garbage. Collections are more frequent and shorter this way.
 */
const growth = 50;

/** Keeps the garbage of this process, its threads included, in proportion to what is in use. */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`);
