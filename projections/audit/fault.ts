import type { Position } from '../../domain/kernel/recorded-event.js';

/** Kinds of faults of a log. */
export type FaultKind =
  | 'hash_mismatch'
  | 'hash_missing'
  | 'revision_gap'
  | 'duplicate_id'
  | 'ledger_mismatch'
  | 'seal_mismatch'
  | 'seal_missing'
  | 'cut_below_seal'
  | 'broken_storage';

/** Where a fault is; null if it concerns no single event. */
interface FaultLocation {
  readonly position: Position | null;
  readonly stream: string | null;
  readonly revision: number | null;
}

/** The first fault at one event. */
export interface Fault extends FaultLocation {
  readonly kind: FaultKind;
  /** Description for people. */
  readonly message: string;
}

export const faultAt = ({ position, stream, revision }: FaultLocation, kind: FaultKind, message: string): Fault => ({
  kind,
  position,
  stream,
  revision,
  message,
});

/** A fault that concerns no single event. */
export const faultOfLog = (kind: FaultKind, message: string): Fault =>
  faultAt({ position: null, stream: null, revision: null }, kind, message);

/** Sorts faults by position; those without a position come last. */
export const inOrderOfLog = (one: Fault, other: Fault): number => {
  const [first, second] = [one.position ?? '~', other.position ?? '~'];
  if (first === second) return 0;
  return first < second ? -1 : 1;
};
