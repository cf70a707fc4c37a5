/** How many of the first things with these sizes come to so much at most; one at least, where there is any. */
export const countFitting = (sizes: ReadonlyArray<number>, room: number): number => {
  let taken = 0;
  const tooMany = sizes.findIndex((size, index) => {
    taken += size;
    return taken > room && index > 0;
  });
  return tooMany < 0 ? sizes.length : tooMany;
};
