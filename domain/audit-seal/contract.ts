import * as t from 'io-ts';
import type { EventOf } from '../kernel/event-codecs.js';
import { Timestamp } from '../kernel/timestamp.js';

const sealed = {
  /** The last event that is sealed, as the sealed engine has it. */
  position: t.string,
  events: t.number,
  streams: t.number,
  /** Root of the Merkle tree over the heads of all streams. */
  merkle_root: t.string,
  /** Running hash over what is covered of every event, in the order of the log. */
  order_hash: t.string,
  /** The running hash after each `size` events, which tells where a log first differs. */
  blocks: t.type({ size: t.number, hashes: t.readonlyArray(t.string) }),
};

/** What a log holds up to a position, in hashes: whoever keeps it elsewhere can tell whether any of that was changed. */
export const SealedLog = t.type(
  {
    ...sealed,
    /**
     * `events`: the events in their order, whatever engine holds them, without an EventStoreDB's records of its own.
     * `rows`: those too, and each position, which other engines count otherwise.
     */
    covers: t.union([t.literal('events'), t.literal('rows')]),
  },
  'SealedLog',
);
export type SealedLog = t.TypeOf<typeof SealedLog>;

export const auditSealEvents = {
  LogSealed: t.intersection([SealedLog, t.type({ at: Timestamp })]),
} as const;

export type AuditSealEvent = EventOf<typeof auditSealEvents>;

/** A seal of version 1, which was always one over rows. */
export const SealedLogV1 = t.type(sealed, 'SealedLogV1');
export const LogSealedV1 = t.intersection([SealedLogV1, t.type({ at: Timestamp })]);

/** A seal of version 1 as the newest version says it. */
export const sealedRows = <Sealed extends t.TypeOf<typeof SealedLogV1>>(
  of: Sealed,
): Sealed & { readonly covers: 'rows' } => ({ ...of, covers: 'rows' });

export interface SealLog {
  readonly type: 'SealLog';
  readonly sealed: SealedLog;
  readonly at: Timestamp;
}

/** The log ends before what was sealed last. */
export interface LogEndsBelowSeal {
  readonly _tag: 'LogEndsBelowSeal';
  readonly sealed_position: string;
}
