import { isOutside } from '../../domain/kernel/stream-name.js';
import { type Fault, faultAt } from './fault.js';
import { type LoggedEvent, eventHash, hashOf } from './event-hash.js';

interface Tail {
  readonly revision: number;
  /** As it is stored; null where none is. */
  readonly hash: string | null;
}

/**
 * The chains of all streams, read in the order of the log. Streams from outside carry no hashes: their events count for
 * the digests, and so for seals, alone.
 */
export interface StreamChains {
  /** Gives the event's digest (its hash, or that of its content where it carries none) and what is wrong with it. */
  readonly take: (event: LoggedEvent) => { readonly digest: string; readonly fault: Fault | null };
  /** How many streams there are. */
  readonly streams: () => number;
  /** How many events carry no hash, all of them from before the first that does. */
  readonly unhashed: () => number;
}

export const createStreamChains = (): StreamChains => {
  const tails = new Map<string, Tail>();
  let unhashed = 0;
  let begun = false;
  const faultOf = (event: LoggedEvent, hash: string | null, tail: Tail | undefined): Fault | null => {
    if (hash === null && isOutside(event.stream)) return null;
    const expected = tail === undefined ? 0 : tail.revision + 1;
    if (event.revision !== expected)
      return faultAt(event, 'revision_gap', `revision ${expected} of the stream should be here`);
    if (hash === null)
      return begun ? faultAt(event, 'hash_missing', 'it carries no hash, though earlier events of the log do') : null;
    return eventHash(event, tail?.hash ?? null) === hash
      ? null
      : faultAt(event, 'hash_mismatch', 'its hash fits neither its content nor the event before it');
  };
  return {
    take: (event) => {
      const hash = hashOf(event);
      const fault = faultOf(event, hash, tails.get(event.stream));
      const digest = hash ?? eventHash(event, null);
      if (hash !== null) begun = true;
      else if (!isOutside(event.stream)) unhashed += 1;
      tails.set(event.stream, { revision: event.revision, hash });
      return { digest, fault };
    },
    streams: () => tails.size,
    unhashed: () => unhashed,
  };
};
