import type { Readable } from 'node:stream';

/** Limits how much of all large request bodies is read in one turn of the event loop, to a few milliseconds of work. */
export interface ReadThrottle {
  /** Counts a chunk that a source emitted. If the turn's limit is reached, pauses the source until a later turn. */
  readonly count: (source: Readable, bytes: number) => void;
}

const bytesPerTurn = 1024 * 1024;
const sourcesPerTurn = 8;

/** Without a throttle, each turn of the event loop would read up to two megabytes from every connection. */
const readThrottle = (): ReadThrottle => {
  const paused = new Set<Readable>();
  let bytesLeft = bytesPerTurn;
  let isScheduled = false;
  const schedule = (): void => {
    if (!isScheduled) setImmediate(startTurn);
    isScheduled = true;
  };
  const startTurn = (): void => {
    isScheduled = false;
    bytesLeft = bytesPerTurn;
    for (const source of [...paused].slice(0, sourcesPerTurn)) {
      paused.delete(source);
      source.resume();
    }
    if (paused.size > 0) schedule();
  };
  return {
    count: (source, bytes) => {
      bytesLeft -= bytes;
      schedule();
      if (bytesLeft > 0 || source.destroyed) return;
      source.pause();
      paused.add(source);
    },
  };
};

/** Shared by all requests of this process. */
export const largeReads = readThrottle();
