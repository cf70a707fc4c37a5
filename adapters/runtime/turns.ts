/** The slices of long work that wait, in the order in which they go on. */
const waiting: Array<() => void> = [];

const goOn = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
};

/**
 * Waits for the next turn of the event loop in which no other long work goes on: of all long work in this thread one slice
 * is done in each turn. So a hundred clients that read something large hold others up for no longer than one of them.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });

/** Work on so much text, in characters, is long enough to wait for a turn. */
const long = 100_000;

/** Waits for a turn where the work that follows, or was just done, is on so much text. */
export const turnFor = async (characters: number): Promise<void> => {
  if (characters > long) await nextTurn();
};
