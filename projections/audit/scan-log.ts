import type { SealedLog } from '../../domain/audit-seal/contract.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { LoggedEvent } from './event-hash.js';
import type { Fault } from './fault.js';
import { createLedgerCheck } from './ledger-check.js';
import { createLogOrder } from './log-order.js';
import { merkleRoot } from './merkle-root.js';
import { type RepeatedIds, createRepeatedIds } from './repeated-ids.js';
import { type SealToCheck, createSealChecks } from './seal-checks.js';
import { createStreamChains } from './stream-chains.js';

/** What a whole log comes to. */
export interface ScannedLog {
  readonly events: number;
  readonly streams: number;
  readonly position: Position | null;
  /** Events from before hashes were written. */
  readonly unhashed: number;
  /** In the order in which they were come upon; the first 1,000. */
  readonly faults: ReadonlyArray<Fault>;
}

/** Reads a log event by event, in its order, and checks all that can be checked of it. */
export interface LogScan {
  readonly take: (event: LoggedEvent) => void;
  /** What was read, once there is no more. */
  readonly end: () => ScannedLog;
  readonly repeatedIds: RepeatedIds;
  /** A seal over what was read; null when that was nothing. */
  readonly seal: () => SealedLog | null;
}

const mostFaults = 1_000;

export const createLogScan = (seals: ReadonlyArray<SealToCheck> = []): LogScan => {
  const chains = createStreamChains();
  const order = createLogOrder();
  const checkLedger = createLedgerCheck();
  const checkSeals = createSealChecks(seals, chains.heads);
  const repeatedIds = createRepeatedIds();
  const faults: Fault[] = [];
  const note = (fault: Fault | null): void => {
    if (fault !== null && faults.length < mostFaults) faults.push(fault);
  };
  return {
    take: (event) => {
      const { digest, fault } = chains.take(event);
      order.take(event.position, digest);
      repeatedIds.take(event.id);
      note(fault);
      note(checkLedger(event));
      checkSeals.take(event, order.events(), order.hash()).forEach(note);
    },
    end: () => ({
      events: order.events(),
      streams: chains.heads().length,
      position: order.position(),
      unhashed: chains.unhashed(),
      faults: [...faults, ...checkSeals.end(order.events())],
    }),
    repeatedIds,
    seal: () => {
      const position = order.position();
      const heads = chains.heads();
      return position === null
        ? null
        : {
            position,
            events: order.events(),
            streams: heads.length,
            merkle_root: merkleRoot(heads),
            order_hash: order.hash(),
            blocks: order.blocks(),
          };
    },
  };
};
