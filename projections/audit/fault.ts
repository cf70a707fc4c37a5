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

/** The first fault at one event. Null if it concerns no single event. */
export interface Fault {
  readonly kind: FaultKind;
  readonly position: Position | null;
  readonly stream: string | null;
  readonly revision: number | null;
  /** Description for people. */
  readonly message: string;
}

type Place = { readonly position: Position; readonly stream: string; readonly revision: number };

export const faultAt = ({ position, stream, revision }: Place, kind: FaultKind, message: string): Fault => ({
  kind,
  position,
  stream,
  revision,
  message,
});

/** A fault that concerns no single event. */
export const faultOfLog = (kind: FaultKind, message: string): Fault => ({
  kind,
  position: null,
  stream: null,
  revision: null,
  message,
});

/** Sorts faults by position; those without a position come last. */
export const inOrderOfLog = (one: Fault, other: Fault): number => {
  const [first, second] = [one.position ?? '~', other.position ?? '~'];
  if (first === second) return 0;
  return first < second ? -1 : 1;
};
