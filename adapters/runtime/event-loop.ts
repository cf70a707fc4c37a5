import type { YieldIfBusy } from '../../application/ports/event-loop.js';

/** What took longer within one turn gives way before it goes on, in milliseconds. */
const longTurn = 20;
/** So many go on in one turn at most, where each is short. */
const mostInTurn = 64;

/** Since when this turn is known to be at work, in milliseconds of the process; null: it is not known to be. */
let began: number | null = null;
const begin = (): void => {
  began = performance.now();
  setImmediate(() => {
    began = null;
  });
};
/** Says that work begins which may take long, so that it counts for what gives way later in this turn. */
export const startTurnTimer = (): void => {
  if (began === null) begin();
};
const isLong = (): boolean => began !== null && performance.now() - began > longTurn;

/**
 * Does something in the next turn of the event loop, once what came meanwhile has had its turn: an immediate that comes of
 * a socket is still done in the turn of this socket, before others are looked at.
 */
const inNextTurn = (work: () => void): void => void setImmediate(() => setImmediate(work));

let arrivals = 0;

/** Says that a connection was accepted. The event loop accepts one in a turn: the last of a hundred waits for a hundred turns. */
export const connectionAccepted = (): void => {
  arrivals += 1;
};

/** While connections arrive, long work waits before each slice, for so many milliseconds at most. */
const longestArrival = 10;

/** Calls back in a turn in which no connection arrived, or when they have arrived for long. */
const onceArrived = (work: () => void, before = arrivals, since = performance.now()): void => {
  if (arrivals === before || performance.now() - since > longestArrival) work();
  else setImmediate(onceArrived, work, arrivals, since);
};

/** The slices of long work that wait, in the order in which they go on. */
const waiting: Array<() => void> = [];

const goOn = (): void => {
  begin();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(onceArrived, goOn, arrivals, performance.now());
};

/**
 * Waits for the next turn of the event loop in which no other long work goes on: of all long work in this thread one slice
 * is done in each turn. So a hundred clients that read something large hold others up for no longer than one of them.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) inNextTurn(goOn);
  });

/** What gave way, in the order in which it goes on. */
const held: Array<() => void> = [];
let isReleasing = false;
/** What gave way passes so many turns in which others are long at work. */
const mostPassed = 3;
let passed = 0;

const letGoOn = (): void => {
  isReleasing = held.length > 0;
  const batch = Math.min(held.length, mostInTurn);
  for (let index = 0; index < batch; index += 1)
    setImmediate(() => {
      // The first goes on in the end: others may be at work in every turn.
      if (!isLong() || (index === 0 && passed >= mostPassed)) {
        passed = -1;
        startTurnTimer();
        held.shift()?.();
      }
      if (index < batch - 1) return;
      passed += 1;
      setImmediate(onceArrived, letGoOn, arrivals, performance.now());
    });
};

/** Waits where this turn has been at work for long since this was first called in it: for a turn that is not. */
export const yieldIfBusy: YieldIfBusy = () => {
  startTurnTimer();
  if (!isLong()) return null;
  return new Promise((resolve) => {
    held.push(resolve);
    if (isReleasing) return;
    isReleasing = true;
    setImmediate(letGoOn);
  });
};

/** Work on so much text, in characters, is long enough to wait for a turn of its own. */
const long = 100_000;
/** Work on so much is short, but a hundred times it is long: it waits for a turn that was not long at work yet. */
const notable = 2_000;

/** Waits for a turn where the work that follows, or was just done, is on so much text. */
export const yieldForText = async (characters: number): Promise<void> => {
  if (characters > long) await nextTurn();
  else if (characters > notable) await yieldIfBusy();
};
