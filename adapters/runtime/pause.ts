import { setTimeout } from 'node:timers/promises';
import { constVoid } from 'fp-ts/lib/function.js';

/** Half of the pause is random, so that many instances do not retry at the same moment. */
export const withJitter = (pause_ms: number): number => pause_ms / 2 + (Math.random() * pause_ms) / 2;

/** Resolves after this many milliseconds, or as soon as the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(constVoid);
