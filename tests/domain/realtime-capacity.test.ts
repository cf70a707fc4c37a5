import type { RealtimeCapacityCommand, RealtimeCapacityEvent } from '../../domain/realtime-capacity/contract.js';
import { takeSlot, theCapacity } from '../support/realtime-events.js';
import { at, instanceId, sessionId } from '../support/values.js';

const taken = (id: string, lapses = 14_400, seconds = 0): RealtimeCapacityEvent => ({
  type: 'RealtimeSlotTaken',
  data: { session_id: sessionId(id), instance_id: instanceId('here'), lapses_at: at(lapses), at: at(seconds) },
});
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
  it('gives slots to sessions while there are any', () => {
    theCapacity.given().when(takeSlot('a')).then(taken('a'));
    theCapacity
      .given(taken('a'))
      .when(takeSlot('b', { capacity: 2 }))
      .then(taken('b'));
    theCapacity.given(taken('a')).when(takeSlot('b')).thenRefused({ _tag: 'AtCapacity', capacity: 1 });
    theCapacity
      .given()
      .when(takeSlot('a', { capacity: 0 }))
      .thenRefused({ _tag: 'AtCapacity', capacity: 0 });
  });

  it('gives a session one slot, and takes it back once', () => {
    theCapacity.given(taken('a')).when(takeSlot('a')).thenNothing();
    theCapacity.given(taken('a')).when(free('a', 5)).then(freed('a', 5));
    theCapacity.given(taken('a'), freed('a', 5)).when(free('a', 6)).thenNothing();
    theCapacity
      .given(taken('a'), freed('a', 5))
      .when(takeSlot('b', { seconds: 6 }))
      .then(taken('b', 14_406, 6));
  });

  it('takes back slots that were never given back, when it needs them', () => {
    const lapsed: RealtimeCapacityEvent = {
      type: 'RealtimeSlotLapsed',
      data: { session_id: sessionId('a'), instance_id: instanceId('here'), at: at(60) },
    };
    theCapacity
      .given(taken('a', 60))
      .when(takeSlot('b', { seconds: 60 }))
      .then(lapsed, taken('b', 14_460, 60));
    theCapacity
      .given(taken('a', 60))
      .when(takeSlot('b', { seconds: 60, capacity: 2 }))
      .then(taken('b', 14_460, 60));
    theCapacity
      .given(taken('a', 61))
      .when(takeSlot('b', { seconds: 60 }))
      .thenRefused({ _tag: 'AtCapacity', capacity: 1 });
  });
});
