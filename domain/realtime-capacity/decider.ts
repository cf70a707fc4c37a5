import type { Either } from 'fp-ts/lib/Either.js';
import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { InstanceId, SessionId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { AtCapacity, RealtimeCapacityCommand, RealtimeCapacityEvent, TakeSlot } from './contract.js';

interface Slot {
  readonly session_id: SessionId;
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
      const { instance_id, lapses_at } = event.data;
      return slots.set(session_id, { session_id, instance_id, lapses_at });
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

const take = (state: RealtimeCapacityState, { type: _type, capacity, ...slot }: TakeSlot): Decision => {
  if (state.has(slot.session_id)) return nothing;
  const taken: RealtimeCapacityEvent = { type: 'RealtimeSlotTaken', data: slot };
  if (state.size < capacity) return record<RealtimeCapacityEvent>(taken);
  const overdue = lapsed(state, slot.at);
  return state.size - overdue.length < capacity
    ? record<RealtimeCapacityEvent>(...overdue, taken)
    : refuse({ _tag: 'AtCapacity', capacity });
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
