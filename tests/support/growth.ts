const once = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
};

const shortest = (work: () => void): number => Math.min(once(work), once(work), once(work));

/**
 * The factor by which processor time grows for four times as much work: 4 if it is proportional,
 * 16 if it is quadratic. It does not depend on the speed or load of the machine.
 */
export const growthOfFourfold = (size: number, workOn: (size: number) => () => void): number => {
  const [some, more] = [workOn(size), workOn(4 * size)];
  some();
  return shortest(more) / shortest(some);
};

/** A limit between proportional and quadratic growth. */
export const proportional = 9;
