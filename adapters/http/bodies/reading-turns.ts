import type { Readable } from 'node:stream';

/** Lets no more be read of all large requests together, in one turn of the event loop, than takes a few milliseconds. */
export interface ReadingTurns {
  /** Told of each chunk that a source gave; where that was enough for this turn, the source is paused until its next. */
  readonly gave: (source: Readable, bytes: number) => void;
}

const bytesPerTurn = 1024 * 1024;
const sourcesPerTurn = 8;

/** Without turns, each turn of the loop would take two megabytes from every connection, whatever their number. */
export const readingTurns = (): ReadingTurns => {
  const waiting = new Set<Readable>();
  let left = bytesPerTurn;
  let scheduled = false;
  const schedule = (): void => {
    if (!scheduled) setImmediate(nextTurn);
    scheduled = true;
  };
  const nextTurn = (): void => {
    scheduled = false;
    left = bytesPerTurn;
    for (const source of [...waiting].slice(0, sourcesPerTurn)) {
      waiting.delete(source);
      source.resume();
    }
    if (waiting.size > 0) schedule();
  };
  return {
    gave: (source, bytes) => {
      left -= bytes;
      schedule();
      if (left > 0 || source.destroyed) return;
      source.pause();
      waiting.add(source);
    },
  };
};
