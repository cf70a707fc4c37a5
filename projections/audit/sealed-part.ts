import type { SealedLog } from '../../domain/audit-seal/contract.js';
import { isServerRecord } from '../../domain/kernel/server-records.js';
import type { LoggedEvent } from './event-hash.js';
import type { Fault } from './fault.js';
import { createLogOrder } from './log-order.js';
import { type StreamHead, merkleRoot } from './merkle-root.js';
import { type SealToCheck, createSealChecks } from './seal-checks.js';

/** What seals of one kind cover of a log, read event by event and held against them. */
export interface SealedPart {
  readonly take: (event: LoggedEvent, digest: string) => ReadonlyArray<Fault>;
  /** What is wrong once the log has ended. */
  readonly end: () => ReadonlyArray<Fault>;
  /** A seal over what was read; null when that was nothing. */
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
