import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import { nullable } from '../kernel/recorded-event.js';
import { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';
import type { AtCapacity, RealtimeCapacityCommand, RealtimeCapacityEvent, TakeSlot } from './contract.js';

const Slot = t.readonly(
  t.type({ session_id: SessionId, account_id: nullable(AccountId), instance_id: InstanceId, lapses_at: Timestamp }),
);
type Slot = t.TypeOf<typeof Slot>;

/** Taken slots by session. */
export type RealtimeCapacityState = ReadonlyMap<SessionId, Slot>;

const Slots = t.array(Slot);

/** Codec between the slots and JSON. */
const snapshotOfSlots = new t.Type<RealtimeCapacityState, unknown>(
  'RealtimeCapacitySnapshot',
  (input): input is RealtimeCapacityState => input instanceof Map,
  (input) =>
    pipe(
      Slots.decode(input),
      E.map((slots) => new Map(slots.map((slot) => [slot.session_id, slot]))),
    ),
  (state) => Slots.encode([...state.values()]),
);

type Decision = E.Either<AtCapacity, ReadonlyArray<RealtimeCapacityEvent>>;

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

/** The refusal if no slot is free, else null. */
const full = (
  state: RealtimeCapacityState,
  { account_id, capacity, account_capacity }: TakeSlot,
): AtCapacity | null => {
  if (state.size >= capacity) return { _tag: 'AtCapacity', of: 'service', capacity };
  return heldBy(state, account_id) < account_capacity
    ? null
    : { _tag: 'AtCapacity', of: 'account', capacity: account_capacity };
};

/** Takes a slot. Expired slots are removed only when needed. */
const take = (state: RealtimeCapacityState, command: TakeSlot): Decision => {
  const { capacity: _of_all, account_capacity: _of_account, ...slot } = dataOf(command);
  if (state.has(slot.session_id)) return nothing;
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
  initial: new Map(),
  evolve,
  snapshot: { version: 1, codec: snapshotOfSlots },
  decide: (command, state) => {
    switch (command.type) {
      case 'TakeSlot':
        return take(state, command);
      case 'FreeSlot':
        return state.has(command.session_id)
          ? record<RealtimeCapacityEvent>({ type: 'RealtimeSlotFreed', data: dataOf(command) })
          : nothing;
    }
  },
};
