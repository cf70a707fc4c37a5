/**
 * Yields to other work on this thread when the current turn of the event loop has been running for long: the promise
 * resolves in a later turn. Returns null when there is no need to yield; the caller must then go on without an `await`,
 * which would let others that ask at the same time go on too. To be called before each step that may take long.
 */
export type YieldIfBusy = () => Promise<void> | null;

/** For tests and commands that have the thread to themselves. */
export const neverYield: YieldIfBusy = () => null;
