import type { CommandOf, Tagged } from '../kernel/decider.js';
import * as t from 'io-ts';
import { type DataIn, type EventOf, nullable } from '../kernel/recorded-event.js';
import { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

const slot = {
  session_id: SessionId,
  /** Null in version 1: such a slot counts for no account. */
  account_id: nullable(AccountId),
  instance_id: InstanceId,
  lapses_at: Timestamp,
};

/** The taken slots, oldest first. */
export const Slots = t.readonlyArray(t.type(slot));

export const realtimeCapacityEvents = {
  /** The session may run on this instance. The slot expires at `lapses_at`. */
  RealtimeSlotTaken: t.type({ ...slot, at: Timestamp }),
  RealtimeSlotFreed: t.type({ session_id: SessionId, at: Timestamp }),
  /** The slot expired because its instance never released it. */
  RealtimeSlotLapsed: t.type({ session_id: SessionId, instance_id: InstanceId, at: Timestamp }),
} as const;

export type RealtimeCapacityEvent = EventOf<typeof realtimeCapacityEvents>;

type Recorded<Type extends RealtimeCapacityEvent['type']> = DataIn<RealtimeCapacityEvent, Type>;

/** Takes one of `capacity` slots for a session. Its account may hold at most `account_capacity`. */
export type TakeSlot = CommandOf<
  'TakeSlot',
  Recorded<'RealtimeSlotTaken'> & { account_id: AccountId; capacity: number; account_capacity: number }
>;
export type FreeSlot = CommandOf<'FreeSlot', Recorded<'RealtimeSlotFreed'>>;
export type RealtimeCapacityCommand = TakeSlot | FreeSlot;

/** All slots of the service, or of this account, are taken. */
export type AtCapacity = Tagged<'AtCapacity', { of: 'service' | 'account'; capacity: number }>;
