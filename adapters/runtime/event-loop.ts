/**
 * Yields to other work on this thread when the current turn of the event loop has been running for long: the promise
 * resolves in a later turn. Returns null when there is no need to yield; the caller must then go on without an `await`,
 * which would let others that ask at the same time go on too. To be called before each step that may take long.
 */
type YieldIfBusy = () => Promise<void> | null;

/** A turn of the event loop that has run for longer than this is busy: work that can yield does so, in milliseconds. */
const busyAfterMs = 20;
/** The maximum number of yielding tasks that resume in one turn. */
const maxPerTurn = 64;

/** When work in the current turn is known to have started (`performance.now()`); null if unknown. */
let began: number | null = null;
const begin = (): void => {
  began = performance.now();
  setImmediate(() => {
    began = null;
  });
};
/** Marks the start of work that may take long, so that `yieldIfBusy` counts it in this turn. */
export const startTurnTimer = (): void => {
  if (began === null) begin();
};
const isBusy = (): boolean => began !== null && performance.now() - began > busyAfterMs;

/**
 * Runs `work` in the next turn of the event loop, after the input that arrived meanwhile. Two immediates are needed: an
 * immediate set while a socket is handled still runs in the same turn.
 */
const inNextTurn = (work: () => void): void => void setImmediate(() => setImmediate(work));

/** The queue of slices of long work, in order. */
const waiting: Array<() => void> = [];

const runNext = (): void => {
  begin();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runNext);
};

/**
 * Waits for the next turn of the event loop in which no other slice of long work runs: each turn runs only one slice of
 * all long work on this thread. So a hundred clients that read something large block others for no longer than one of
 * them.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) inNextTurn(runNext);
  });

/** The queue of tasks that have yielded, in order. */
const held: Array<() => void> = [];
let isReleasing = false;
/** A yielded task is passed over in at most this many busy turns. */
const maxPassedTurns = 3;
let passed = 0;

const resumeHeld = (): void => {
  isReleasing = held.length > 0;
  const batch = Math.min(held.length, maxPerTurn);
  for (let index = 0; index < batch; index += 1)
    setImmediate(() => {
      // The first one resumes eventually, even if every turn is busy.
      if (!isBusy() || (index === 0 && passed >= maxPassedTurns)) {
        passed = -1;
        startTurnTimer();
        held.shift()?.();
      }
      if (index < batch - 1) return;
      passed += 1;
      setImmediate(resumeHeld);
    });
};

/** If the current turn is busy, waits for one that is not. The first call in a turn starts its timer. */
export const yieldIfBusy: YieldIfBusy = () => {
  startTurnTimer();
  if (!isBusy()) return null;
  return new Promise((resolve) => {
    held.push(resolve);
    if (isReleasing) return;
    isReleasing = true;
    setImmediate(resumeHeld);
  });
};
