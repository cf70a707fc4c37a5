/** The newest row that this process knows of, and who waits for a newer one. */
export interface Tip {
  readonly row: () => number;
  readonly advance: (row: number) => void;
  /** Resolves at the next advance or wake. */
  readonly moved: () => Promise<void>;
  /** Lets all who wait look whether they still want to. */
  readonly wake: () => void;
}

/** Starts at the given row and never goes back. */
export const createTip = (start: number): Tip => {
  let tip = start;
  let waiting: Array<() => void> = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((resolve) => resolve());
  };
  return {
    row: () => tip,
    advance: (row) => {
      if (row <= tip) return;
      tip = row;
      wake();
    },
    moved: () => new Promise((resolve) => waiting.push(resolve)),
    wake,
  };
};
