import { isExternalStream } from '../../domain/kernel/stream-name.js';
import { type Fault, faultAt } from './fault.js';
import { type LoggedEvent, eventHash, hashOf } from './event-hash.js';

interface Tail {
  readonly revision: number;
  /** As stored; null if missing. */
  readonly hash: string | null;
}

/**
 * The hash chains of all streams, read in log order. External streams carry no hashes; their events count only for
 * digests and seals.
 */
export interface StreamChains {
  /** Returns the event's digest (its hash, or the hash of its content if it carries none) and its fault, if any. */
  readonly take: (event: LoggedEvent) => { readonly digest: string; readonly fault: Fault | null };
  /** Number of streams. */
  readonly streams: () => number;
  /** Number of events without a hash, all written before the first one with a hash. */
  readonly unhashed: () => number;
}

export const createStreamChains = (): StreamChains => {
  const tails = new Map<string, Tail>();
  let unhashed = 0;
  let begun = false;
  const faultOf = (event: LoggedEvent, hash: string | null, tail: Tail | undefined): Fault | null => {
    if (hash === null && isExternalStream(event.stream)) return null;
    const expected = tail === undefined ? 0 : tail.revision + 1;
    if (event.revision !== expected)
      return faultAt(event, 'revision_gap', `revision ${expected} of the stream should be here`);
    if (hash === null)
      return begun ? faultAt(event, 'hash_missing', 'it carries no hash, though earlier events of the log do') : null;
    return eventHash(event, tail?.hash ?? null) === hash
      ? null
      : faultAt(
          event,
          'hash_mismatch',
          'its hash does not fit: its content was changed, or the event before it in the stream was replaced',
        );
  };
  return {
    take: (event) => {
      const hash = hashOf(event);
      const fault = faultOf(event, hash, tails.get(event.stream));
      const digest = hash ?? eventHash(event, null);
      if (hash !== null) begun = true;
      else if (!isExternalStream(event.stream)) unhashed += 1;
      tails.set(event.stream, { revision: event.revision, hash });
      return { digest, fault };
    },
    streams: () => tails.size,
    unhashed: () => unhashed,
  };
};
