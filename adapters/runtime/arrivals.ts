/** Work waits for connections that arrive for so many milliseconds at most. */
const longestArrival = 20;

let arrivals = 0;
let arriving = false;

const settle = (before: number): void => {
  arriving = arrivals !== before;
  if (arriving) setImmediate(settle, arrivals);
};

/**
 * Says that a connection was accepted. The event loop accepts one in a turn: the last of a hundred waits for a hundred turns,
 * and for all work that is done in them.
 */
export const connectionArrived = (): void => {
  arrivals += 1;
  if (arriving) return;
  arriving = true;
  setImmediate(() => setImmediate(settle, arrivals));
};

/** Whether a connection was accepted in this turn of the event loop or the one before: others may wait to be. */
export const areArriving = (): boolean => arriving;

const check = (work: () => void, since: number): void => {
  if (!arriving || performance.now() - since > longestArrival) work();
  else setImmediate(check, work, since);
};

/** Calls back after what came in this turn, or when connections do not arrive any more, or have for long. */
export const onceArrived = (work: () => void): void => void setImmediate(check, work, performance.now());
