import type { Either } from 'fp-ts/lib/Either.js';
import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { AtCapacity, RealtimeCapacityCommand, RealtimeCapacityEvent, TakeSlot } from './contract.js';

interface Slot {
  readonly session_id: SessionId;
  readonly account_id: AccountId | null;
  readonly instance_id: InstanceId;
  readonly lapses_at: Timestamp;
}

/** The slots that are taken, by session. */
export type RealtimeCapacityState = ReadonlyMap<SessionId, Slot>;

type Decision = Either<AtCapacity, ReadonlyArray<RealtimeCapacityEvent>>;

const evolve = (state: RealtimeCapacityState, event: RealtimeCapacityEvent): RealtimeCapacityState => {
  const { session_id } = event.data;
  const slots = new Map(state);
  switch (event.type) {
    case 'RealtimeSlotTaken': {
      const { account_id, instance_id, lapses_at } = event.data;
      return slots.set(session_id, { session_id, account_id, instance_id, lapses_at });
    }
    case 'RealtimeSlotFreed':
    case 'RealtimeSlotLapsed':
      slots.delete(session_id);
      return slots;
  }
};

const lapsed = (state: RealtimeCapacityState, at: Timestamp): ReadonlyArray<RealtimeCapacityEvent> =>
  [...state.values()]
    .filter(({ lapses_at }) => lapses_at <= at)
    .map(({ session_id, instance_id }) => ({
      type: 'RealtimeSlotLapsed',
      data: { session_id, instance_id, at },
    }));

const heldBy = (state: RealtimeCapacityState, account_id: AccountId): number =>
  [...state.values()].filter((slot) => slot.account_id === account_id).length;

/** Why no slot is free; null when one is. */
const full = (
  state: RealtimeCapacityState,
  { account_id, capacity, account_capacity }: TakeSlot,
): AtCapacity | null => {
  if (state.size >= capacity) return { _tag: 'AtCapacity', of: 'service', capacity };
  return heldBy(state, account_id) < account_capacity
    ? null
    : { _tag: 'AtCapacity', of: 'account', capacity: account_capacity };
};

/** Slots that have lapsed are taken back only where they are needed. */
const take = (state: RealtimeCapacityState, command: TakeSlot): Decision => {
  const { session_id, account_id, instance_id, lapses_at, at } = command;
  if (state.has(session_id)) return nothing;
  const taken: RealtimeCapacityEvent = {
    type: 'RealtimeSlotTaken',
    data: { session_id, account_id, instance_id, lapses_at, at },
  };
  if (full(state, command) === null) return record<RealtimeCapacityEvent>(taken);
  const overdue = lapsed(state, at);
  const refusal = full(overdue.reduce(evolve, state), command);
  return refusal === null ? record<RealtimeCapacityEvent>(...overdue, taken) : refuse(refusal);
};

/** Which realtime sessions run, over all instances: no more than the capacity (specification, section 8). */
export const realtimeCapacity: Decider<
  RealtimeCapacityCommand,
  RealtimeCapacityState,
  RealtimeCapacityEvent,
  AtCapacity
> = {
  category: 'realtimeCapacity',
  initial: new Map(),
  evolve,
  decide: (command, state) => {
    switch (command.type) {
      case 'TakeSlot':
        return take(state, command);
      case 'FreeSlot': {
        const { session_id, at } = command;
        return state.has(session_id)
          ? record<RealtimeCapacityEvent>({ type: 'RealtimeSlotFreed', data: { session_id, at } })
          : nothing;
      }
    }
  },
};
