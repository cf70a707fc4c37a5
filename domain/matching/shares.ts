import { forEachOverlap } from './stretches.js';
import type { Spans } from './spans.js';

/**
 * Seconds that parts (turns or tracks) share with owners (faces or speakers), by index: a sparse table in columnar
 * form, ordered by part.
 */
export interface Shares {
  readonly parts: Uint32Array;
  readonly owners: Uint32Array;
  readonly seconds: Float64Array;
}

interface Counts {
  /** Number of owners. */
  readonly owners: number;
  /** Number of overlapping pairs, an upper limit of the entries. */
  readonly overlaps: number;
}

/** The seconds that each part shares with each owner. `secondsOf` gives those of one overlapping pair. */
export const sharesOf = (
  parts: Spans,
  others: Spans,
  { owners, overlaps }: Counts,
  secondsOf: (part: number, other: number) => number,
): Shares => {
  const shares = {
    parts: new Uint32Array(overlaps),
    owners: new Uint32Array(overlaps),
    seconds: new Float64Array(overlaps),
  };
  /** Index of each owner's last entry plus 1. */
  const latest = new Uint32Array(owners);
  let count = 0;
  forEachOverlap(parts, others, (part, other) => {
    const owner = others.owners[other] ?? 0;
    const known = (latest[owner] ?? 0) - 1;
    if (known < 0 || shares.parts[known] !== part) {
      shares.parts[count] = part;
      shares.owners[count] = owner;
      shares.seconds[count] = secondsOf(part, other);
      count += 1;
      latest[owner] = count;
    } else shares.seconds[known] = (shares.seconds[known] ?? 0) + secondsOf(part, other);
  });
  return {
    parts: shares.parts.subarray(0, count),
    owners: shares.owners.subarray(0, count),
    seconds: shares.seconds.subarray(0, count),
  };
};

export const forEachShare = (
  { parts, owners, seconds }: Shares,
  visit: (part: number, owner: number, seconds: number) => void,
): void => {
  for (let n = 0; n < parts.length; n += 1) visit(parts[n] ?? 0, owners[n] ?? 0, seconds[n] ?? 0);
};
