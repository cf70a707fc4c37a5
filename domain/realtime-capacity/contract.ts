import * as t from 'io-ts';
import type { EventOf } from '../kernel/event-codecs.js';
import { InstanceId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

export const realtimeCapacityEvents = {
  /** The session may run, on this instance, and gives its slot back by `lapses_at` at the latest. */
  RealtimeSlotTaken: t.type({ session_id: SessionId, instance_id: InstanceId, lapses_at: Timestamp, at: Timestamp }),
  RealtimeSlotFreed: t.type({ session_id: SessionId, at: Timestamp }),
  /** The instance that held the session never gave the slot back. */
  RealtimeSlotLapsed: t.type({ session_id: SessionId, instance_id: InstanceId, at: Timestamp }),
} as const;

export type RealtimeCapacityEvent = EventOf<typeof realtimeCapacityEvents>;

/** Takes one of `capacity` slots for a session. */
export interface TakeSlot {
  readonly type: 'TakeSlot';
  readonly session_id: SessionId;
  readonly instance_id: InstanceId;
  readonly capacity: number;
  readonly lapses_at: Timestamp;
  readonly at: Timestamp;
}
export interface FreeSlot {
  readonly type: 'FreeSlot';
  readonly session_id: SessionId;
  readonly at: Timestamp;
}
export type RealtimeCapacityCommand = TakeSlot | FreeSlot;

/** All slots are taken; those of sessions that end come free. */
export interface AtCapacity {
  readonly _tag: 'AtCapacity';
  readonly capacity: number;
}
