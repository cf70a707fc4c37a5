import type { Position } from '../../domain/kernel/recorded-event.js';

/** What can be wrong with a log. */
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

/** The first thing that is wrong at one place of a log. Null where no event is there to point at. */
export interface Fault {
  readonly kind: FaultKind;
  readonly position: Position | null;
  readonly stream: string | null;
  readonly revision: number | null;
  /** In words, for people. */
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
