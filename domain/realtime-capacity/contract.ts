import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

export const realtimeCapacityEvents = {
  /** The session may run, on this instance, and gives its slot back by `lapses_at` at the latest. */
  RealtimeSlotTaken: t.type({
    session_id: SessionId,
    /** Null in events of the first version: such a slot counts for no account. */
    account_id: nullable(AccountId),
    instance_id: InstanceId,
    lapses_at: Timestamp,
    at: Timestamp,
  }),
  RealtimeSlotFreed: t.type({ session_id: SessionId, at: Timestamp }),
  /** The instance that held the session never gave the slot back. */
  RealtimeSlotLapsed: t.type({ session_id: SessionId, instance_id: InstanceId, at: Timestamp }),
} as const;

export type RealtimeCapacityEvent = EventOf<typeof realtimeCapacityEvents>;

/** Takes one of `capacity` slots for a session, of which its account may hold `account_capacity`. */
export interface TakeSlot {
  readonly type: 'TakeSlot';
  readonly session_id: SessionId;
  readonly account_id: AccountId;
  readonly instance_id: InstanceId;
  readonly capacity: number;
  readonly account_capacity: number;
  readonly lapses_at: Timestamp;
  readonly at: Timestamp;
}
export interface FreeSlot {
  readonly type: 'FreeSlot';
  readonly session_id: SessionId;
  readonly at: Timestamp;
}
export type RealtimeCapacityCommand = TakeSlot | FreeSlot;

/** All slots that there are for everybody, or for this account, are taken; those of sessions that end come free. */
export interface AtCapacity {
  readonly _tag: 'AtCapacity';
  readonly of: 'service' | 'account';
  readonly capacity: number;
}
