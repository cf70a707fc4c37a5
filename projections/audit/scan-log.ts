import type { SealedLog } from '../../domain/audit-seal/contract.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { LoggedEvent } from './event-hash.js';
import type { Fault } from './fault.js';
import { createLedgerCheck } from './ledger-check.js';
import { type RepeatedIds, createRepeatedIds } from './repeated-ids.js';
import type { SealToCheck } from './seal-checks.js';
import { createSealedPart } from './sealed-part.js';
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
  const checkLedger = createLedgerCheck();
  const sealable = createSealedPart('events', seals);
  const hasRowSeals = seals.some(({ sealed }) => sealed.covers === 'rows');
  const parts = [sealable, ...(hasRowSeals ? [createSealedPart('rows', seals)] : [])];
  const repeatedIds = createRepeatedIds();
  const faults: Fault[] = [];
  let [events, position]: [number, Position | null] = [0, null];
  const note = (fault: Fault | null): void => {
    if (fault !== null && faults.length < mostFaults) faults.push(fault);
  };
  return {
    take: (event) => {
      const { digest, fault } = chains.take(event);
      events += 1;
      position = event.position;
      repeatedIds.take(event.id);
      note(fault);
      note(checkLedger(event));
      parts.forEach((part) => part.take(event, digest).forEach(note));
    },
    end: () => ({
      events,
      streams: chains.streams(),
      position,
      unhashed: chains.unhashed(),
      faults: [...faults, ...parts.flatMap((part) => part.end())],
    }),
    repeatedIds,
    seal: sealable.seal,
  };
};
