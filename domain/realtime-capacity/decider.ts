import type { Either } from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AccountId, SessionId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import {
  type AtCapacity,
  type RealtimeCapacityCommand,
  type RealtimeCapacityEvent,
  type TakeSlot,
  Slots,
} from './contract.js';

export type RealtimeCapacityState = t.TypeOf<typeof Slots>;

type Decision = Either<AtCapacity, ReadonlyArray<RealtimeCapacityEvent>>;

const evolve = (state: RealtimeCapacityState, event: RealtimeCapacityEvent): RealtimeCapacityState => {
  switch (event.type) {
    case 'RealtimeSlotTaken': {
      const { at: _at, ...slot } = event.data;
      return [...state, slot];
    }
    case 'RealtimeSlotFreed':
    case 'RealtimeSlotLapsed':
      return state.filter(({ session_id }) => session_id !== event.data.session_id);
  }
};

const isTaken = (state: RealtimeCapacityState, session_id: SessionId): boolean =>
  state.some((slot) => slot.session_id === session_id);

const lapsed = (state: RealtimeCapacityState, at: Timestamp): ReadonlyArray<RealtimeCapacityEvent> =>
  state
    .filter(({ lapses_at }) => lapses_at <= at)
    .map(({ session_id, instance_id }) => ({
      type: 'RealtimeSlotLapsed',
      data: { session_id, instance_id, at },
    }));

const heldBy = (state: RealtimeCapacityState, account_id: AccountId): number =>
  state.filter((slot) => slot.account_id === account_id).length;

/** The refusal if no slot is free, else null. */
const full = (
  state: RealtimeCapacityState,
  { account_id, capacity, account_capacity }: TakeSlot,
): AtCapacity | null => {
  if (state.length >= capacity) return { _tag: 'AtCapacity', of: 'service', capacity };
  return heldBy(state, account_id) < account_capacity
    ? null
    : { _tag: 'AtCapacity', of: 'account', capacity: account_capacity };
};

/** Takes a slot. Expired slots are removed only when needed. */
const take = (state: RealtimeCapacityState, command: TakeSlot): Decision => {
  const { capacity: _of_all, account_capacity: _of_account, ...slot } = dataOf(command);
  if (isTaken(state, slot.session_id)) return nothing;
  const taken: RealtimeCapacityEvent = { type: 'RealtimeSlotTaken', data: slot };
  if (full(state, command) === null) return record<RealtimeCapacityEvent>(taken);
  const overdue = lapsed(state, slot.at);
  const refusal = full(overdue.reduce(evolve, state), command);
  return refusal === null ? record<RealtimeCapacityEvent>(...overdue, taken) : refuse(refusal);
};

/** The running realtime sessions of all instances, limited by the capacity (specification, section 8). */
export const realtimeCapacity: Decider<
  RealtimeCapacityCommand,
  RealtimeCapacityState,
  RealtimeCapacityEvent,
  AtCapacity
> = {
  category: 'realtimeCapacity',
  initial: [],
  evolve,
  snapshot: { version: 2, codec: Slots },
  decide: (command, state) => {
    switch (command.type) {
      case 'TakeSlot':
        return take(state, command);
      case 'FreeSlot':
        return isTaken(state, command.session_id)
          ? record<RealtimeCapacityEvent>({ type: 'RealtimeSlotFreed', data: dataOf(command) })
          : nothing;
    }
  },
};
