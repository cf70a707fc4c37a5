import type { Position } from '../../domain/kernel/recorded-event.js';
import { sha256 } from './event-hash.js';

/** A running hash over what is to be covered of a log's events, with samples of it on the way. */
export interface LogOrder {
  readonly take: (position: Position, covered: string) => void;
  readonly events: () => number;
  readonly position: () => Position | null;
  readonly hash: () => string;
  /** The running hash after each `size` events; at most 1,024 samples, so that the size grows with the log. */
  readonly blocks: () => { readonly size: number; readonly hashes: ReadonlyArray<string> };
}

const mostSamples = 1_024;

export const createLogOrder = (): LogOrder => {
  let [events, hash, size] = [0, sha256('nothing'), 1];
  let position: Position | null = null;
  let hashes: string[] = [];
  return {
    take: (at, covered) => {
      hash = sha256(`${hash} ${covered}`);
      events += 1;
      position = at;
      if (events % size === 0) hashes.push(hash);
      if (hashes.length <= mostSamples) return;
      hashes = hashes.filter((_, index) => index % 2 === 1);
      size *= 2;
    },
    events: () => events,
    position: () => position,
    hash: () => hash,
    blocks: () => ({ size, hashes }),
  };
};
