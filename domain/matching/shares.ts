/**
 * The seconds that owners, faces or speakers by index, share with one turn or track, still being summed up. Two plain
 * lists of numbers: there are hundreds of thousands in a long medium, and as objects they would be most of the memory.
 */
export interface Shares {
  readonly owners: number[];
  readonly seconds: number[];
}

export const newShares = (): Shares => ({ owners: [], seconds: [] });

/** Few owners share one turn or track: looking through the list is quick enough. */
export const addShare = ({ owners, seconds }: Shares, owner: number, more: number): void => {
  const known = owners.indexOf(owner);
  if (known < 0) {
    owners.push(owner);
    seconds.push(more);
  } else seconds[known] = (seconds[known] ?? 0) + more;
};

export const forEachShare = ({ owners, seconds }: Shares, visit: (owner: number, seconds: number) => void): void => {
  for (let n = 0; n < owners.length; n += 1) visit(owners[n] ?? 0, seconds[n] ?? 0);
};
