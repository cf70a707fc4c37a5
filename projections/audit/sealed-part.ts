import type { SealedLog } from '../../domain/audit-seal/contract.js';
import { type Position, isServerRecord } from '../../domain/kernel/recorded-event.js';
import { type LoggedEvent, sha256 } from './event-hash.js';
import type { Fault } from './fault.js';
import { type StreamHead, merkleRoot, type SealToCheck, createSealChecks } from './seal-checks.js';

/** A running hash over the covered data of a log, with samples. */
interface LogOrder {
  readonly take: (position: Position, covered: string) => void;
  readonly events: () => number;
  readonly position: () => Position | null;
  readonly hash: () => string;
  /** The running hash after every `size` events. There are at most 1,024 samples, so `size` grows with the log. */
  readonly blocks: () => { readonly size: number; readonly hashes: ReadonlyArray<string> };
}

const maxSamples = 1_024;

const createLogOrder = (): LogOrder => {
  let [events, hash, size] = [0, sha256('nothing'), 1];
  let position: Position | null = null;
  let hashes: string[] = [];
  return {
    take: (at, covered) => {
      hash = sha256(`${hash} ${covered}`);
      events += 1;
      position = at;
      if (events % size === 0) hashes.push(hash);
      if (hashes.length <= maxSamples) return;
      hashes = hashes.filter((_, index) => index % 2 === 1);
      size *= 2;
    },
    events: () => events,
    position: () => position,
    hash: () => hash,
    blocks: () => ({ size, hashes }),
  };
};

/** Computes what seals of one kind cover, event by event, and compares it with existing seals. */
export interface SealedPart {
  readonly take: (event: LoggedEvent, digest: string) => ReadonlyArray<Fault>;
  /** Faults found at the end of the log. */
  readonly end: () => ReadonlyArray<Fault>;
  /** A seal of the events read; null if there were none. */
  readonly seal: () => SealedLog | null;
}

export const createSealedPart = (covers: SealedLog['covers'], seals: ReadonlyArray<SealToCheck>): SealedPart => {
  const order = createLogOrder();
  const tails = new Map<string, StreamHead>();
  const heads = (): ReadonlyArray<StreamHead> => [...tails.values()];
  const checks = createSealChecks(
    seals.filter(({ sealed }) => sealed.covers === covers),
    heads,
  );
  return {
    take: (event, digest) => {
      if (covers === 'events' && isServerRecord(event)) return [];
      const { position, stream, revision } = event;
      order.take(position, covers === 'events' ? digest : `${position} ${digest}`);
      tails.set(stream, { stream, revision, hash: digest });
      return checks.take(event, order.events(), order.hash());
    },
    end: () => checks.end(order.events()),
    seal: () => {
      const position = order.position();
      if (position === null) return null;
      return {
        position,
        events: order.events(),
        streams: tails.size,
        merkle_root: merkleRoot(heads()),
        order_hash: order.hash(),
        blocks: order.blocks(),
        covers,
      };
    },
  };
};
