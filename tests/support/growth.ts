const once = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
};

const shortest = (work: () => void): number => Math.min(once(work), once(work), once(work));

/**
 * How many times the processor time of work grows when there is four times as much of it: 4 where it grows in proportion,
 * 16 where it grows with the square. It is the same on a slow machine and on a busy one.
 */
export const growthOfFourfold = (size: number, workOn: (size: number) => () => void): number => {
  const [some, more] = [workOn(size), workOn(4 * size)];
  some();
  return shortest(more) / shortest(some);
};

/** Between growth in proportion and growth with the square. */
export const proportional = 9;
