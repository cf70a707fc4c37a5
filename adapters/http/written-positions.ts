import type { RequestContext } from '../../application/commands/context.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

interface WrittenPositions extends Pick<RequestContext, 'onWrite' | 'onKeyWrite'> {
  /** The value of `X-Event-Position`: of the change, because an undo needs it; else of an event on a key. */
  readonly last: () => Position | null;
}

const later = (one: Position | null, other: Position): Position => (one === null || other > one ? other : one);

/** Tracks what a request writes. `wrote` is called with every position, since later reads must show what was named. */
export const writtenPositions = (wrote: (position: Position) => void): WrittenPositions => {
  let change: Position | null = null;
  let key: Position | null = null;
  return {
    onWrite: (position) => {
      change = later(change, position);
      wrote(position);
    },
    onKeyWrite: (position) => {
      key = later(key, position);
      wrote(position);
    },
    last: () => change ?? key,
  };
};
