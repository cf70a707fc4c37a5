/** UDP ports, first and last. */
type Ports = readonly [number, number];

/** Fewer ports than these are not divided any further. */
const fewest = 100;

/** How many threads share a range of ports, at most. */
export const sharesOf = ([first, last]: Ports, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((last - first + 1) / fewest)));

/** The ports of one of so many threads, counted from 0. */
export const shareOf = ([first, last]: Ports, at: number, shares: number): [number, number] => {
  const size = last - first + 1;
  return [first + Math.floor((size * at) / shares), first + Math.floor((size * (at + 1)) / shares) - 1];
};
