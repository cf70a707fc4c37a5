import type { Stretches } from './stretches.js';

/**
 * Visits every pair of stretches from two lists that share some time, by their places in the lists: those of the first
 * stretch in order, then those of the second. Both lists are ordered by start; inside a list, stretches may overlap.
 * Linear in the stretches and in the pairs found: a plane sweep (Brinkhoff, Kriegel and Seeger, SIGMOD 1993) that keeps
 * the `bs` that began before the `a` at hand and may last into it.
 */
export const forEachOverlap = (as: Stretches, bs: Stretches, visit: (a: number, b: number) => void): void => {
  const lasting = new Uint32Array(bs.starts.length);
  let [count, next] = [0, 0];
  for (let a = 0; a < as.starts.length; a += 1) {
    const [start, end] = [as.starts[a] ?? 0, as.ends[a] ?? 0];
    for (; next < bs.starts.length && (bs.starts[next] ?? 0) < start; next += 1) lasting[count++] = next;
    const candidates = count;
    count = 0;
    for (let n = 0; n < candidates; n += 1) {
      const b = lasting[n] ?? 0;
      if ((bs.ends[b] ?? 0) > start) {
        lasting[count++] = b;
        visit(a, b);
      }
    }
    for (let b = next; b < bs.starts.length && (bs.starts[b] ?? 0) < end; b += 1) visit(a, b);
  }
};

/** The seconds that two stretches share. */
export const sharedSeconds = (as: Stretches, a: number, bs: Stretches, b: number): number =>
  Math.max(0, Math.min(as.ends[a] ?? 0, bs.ends[b] ?? 0) - Math.max(as.starts[a] ?? 0, bs.starts[b] ?? 0));
