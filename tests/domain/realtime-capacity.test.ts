import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { RealtimeCapacityCommand, RealtimeCapacityEvent } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import { takeSlot, theCapacity } from '../support/realtime-events.js';
import { accountId, at, instanceId, sessionId } from '../support/values.js';

const taken = (id: string, lapses = 14_400, seconds = 0, account: string | null = 'owner'): RealtimeCapacityEvent => ({
  type: 'RealtimeSlotTaken',
  data: {
    session_id: sessionId(id),
    account_id: account === null ? null : accountId(account),
    instance_id: instanceId('here'),
    lapses_at: at(lapses),
    at: at(seconds),
  },
});
const full = (capacity: number, of: 'service' | 'account' = 'service') =>
  ({ _tag: 'AtCapacity', of, capacity }) as const;
const freed = (id: string, seconds: number): RealtimeCapacityEvent => ({
  type: 'RealtimeSlotFreed',
  data: { session_id: sessionId(id), at: at(seconds) },
});
const free = (id: string, seconds: number): RealtimeCapacityCommand => ({
  type: 'FreeSlot',
  session_id: sessionId(id),
  at: at(seconds),
});

describe('the realtime capacity', () => {
  it('is restored from a snapshot unchanged', () => {
    const { initial, evolve, snapshot } = realtimeCapacity;
    const events = [taken('a'), taken('b', 7, 1, null), taken('c'), freed('a', 2)];
    const state = events.reduce(evolve, initial);
    const back = snapshot?.codec.decode(JSON.parse(JSON.stringify(snapshot.codec.encode(state))));
    expect(back).to.deep.equal(E.right(state));
    expect(state.length).to.equal(2);
    expect(snapshot?.codec.decode([{ session_id: 'x' }])).to.have.property('_tag', 'Left');
  });

  it('gives slots to sessions while available', () => {
    theCapacity.given().cases([takeSlot('a'), [taken('a')]], [takeSlot('a', { capacity: 0 }), full(0)]);
    theCapacity.given(taken('a')).cases([takeSlot('b', { capacity: 2 }), [taken('b')]], [takeSlot('b'), full(1)]);
  });

  it('gives a session one slot, and frees it once', () => {
    theCapacity.given(taken('a')).cases([takeSlot('a'), []], [free('a', 5), [freed('a', 5)]]);
    theCapacity
      .given(taken('a'), freed('a', 5))
      .cases([free('a', 6), []], [takeSlot('b', { seconds: 6 }), [taken('b', 14_406, 6)]]);
  });

  it('reclaims expired slots when needed, also of an account that needs them', () => {
    const lapsed: RealtimeCapacityEvent = {
      type: 'RealtimeSlotLapsed',
      data: { session_id: sessionId('a'), instance_id: instanceId('here'), at: at(60) },
    };
    const next = taken('b', 14_460, 60);
    theCapacity
      .given(taken('a', 60))
      .cases(
        [takeSlot('b', { seconds: 60 }), [lapsed, next]],
        [takeSlot('b', { seconds: 60, capacity: 2 }), [next]],
        [takeSlot('b', { seconds: 60, capacity: 4, account_capacity: 1 }), [lapsed, next]],
      );
    theCapacity.given(taken('a', 61)).cases([takeSlot('b', { seconds: 60 }), full(1)]);
  });

  it('gives an account at most its share, whatever others hold; a slot of version 1 counts for none', () => {
    const wanted = (account: string, seconds = 0) =>
      takeSlot('c', { account, capacity: 4, account_capacity: 1, seconds, lapses: 14_400 });
    theCapacity
      .given(taken('a'), taken('b', 14_400, 0, 'other'))
      .cases([wanted('owner'), full(1, 'account')], [wanted('third'), [taken('c', 14_400, 0, 'third')]]);
    theCapacity.given(taken('a'), freed('a', 5)).cases([wanted('owner', 6), [taken('c', 14_400, 6)]]);
    theCapacity.given(taken('a', 14_400, 0, null)).cases([wanted('owner'), [taken('c')]]);
  });

  it('reports the service as full if both limits are reached', () =>
    theCapacity.given(taken('a')).cases([takeSlot('b', { capacity: 1, account_capacity: 1 }), full(1)]));
});
