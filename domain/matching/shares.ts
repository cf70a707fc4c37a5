import { forEachOverlap } from './stretches.js';
import type { Spans } from './spans.js';

/**
 * The seconds that turns or tracks (the parts) share with owners, faces or speakers, all by index: a sparse table in
 * three columns, ordered by part.
 */
export interface Shares {
  readonly parts: Uint32Array;
  readonly owners: Uint32Array;
  readonly seconds: Float64Array;
}

interface Counts {
  /** How many owners the others have. */
  readonly owners: number;
  /** How many pairs of a part and another overlap: no more entries there will be. */
  readonly overlaps: number;
}

/** What each part shares with each owner of the others; `secondsOf` tells it for one pair that overlaps. */
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
  /** One more than the place of each owner's last entry. */
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
