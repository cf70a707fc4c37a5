import * as t from 'io-ts';
import type { EventOf } from '../kernel/event-codecs.js';
import { Timestamp } from '../kernel/timestamp.js';

/** What a log holds up to a position, in hashes: whoever keeps it elsewhere can tell whether any of that was changed. */
export const SealedLog = t.type(
  {
    /** The last event that is sealed. */
    position: t.string,
    events: t.number,
    streams: t.number,
    /** Root of the Merkle tree over the heads of all streams. */
    merkle_root: t.string,
    /** Running hash over position and hash of every event, in the order of the log. */
    order_hash: t.string,
    /** The running hash after each `size` events, which tells where a log first differs. */
    blocks: t.type({ size: t.number, hashes: t.readonlyArray(t.string) }),
  },
  'SealedLog',
);
export type SealedLog = t.TypeOf<typeof SealedLog>;

export const auditSealEvents = {
  LogSealed: t.intersection([SealedLog, t.type({ at: Timestamp })]),
} as const;

export type AuditSealEvent = EventOf<typeof auditSealEvents>;

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
