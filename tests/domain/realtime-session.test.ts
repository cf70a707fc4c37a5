import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import type { RealtimeSessionCommand, RealtimeSessionEvent } from '../../domain/realtime-session/contract.js';
import { isValidToken } from '../../domain/realtime-session/decider.js';
import type { RealtimeCapacityCommand, RealtimeCapacityEvent } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import { creditsText, accountId, at, sessionId, instanceId } from '../support/values.js';
import { createdBy, creation, theSession, takeSlot, theCapacity } from '../support/realtime-events.js';

const created = createdBy(creation('s'));
const negotiated: RealtimeSessionEvent = { type: 'RealtimeSessionNegotiated', data: { at: at(1) } };
const connected = (seconds: number): RealtimeSessionEvent => ({
  type: 'RealtimeSessionConnected',
  data: { at: at(seconds) },
});
const disconnected = (seconds: number, state: 'disconnected' | 'failed' = 'failed'): RealtimeSessionEvent => ({
  type: 'RealtimeSessionDisconnected',
  data: { state, at: at(seconds) },
});
const metered = (index: number, from_second: number, to_second: number, amount: string, seconds: number) =>
  ({
    type: 'RealtimeSessionMetered',
    data: {
      session_id: sessionId('s'),
      account_id: accountId('owner'),
      index,
      from_second,
      to_second,
      amount: creditsText(amount),
      at: at(seconds),
    },
  }) as const;
const ended = (duration_seconds: number, charged: string, seconds: number, reason = 'requested' as const) =>
  ({
    type: 'RealtimeSessionEnded',
    data: {
      session_id: sessionId('s'),
      account_id: accountId('owner'),
      reason,
      duration_seconds,
      credits_charged: creditsText(charged),
      at: at(seconds),
    },
  }) as const;

const media = (state: 'connected' | 'disconnected' | 'failed', seconds: number): RealtimeSessionCommand => ({
  type: 'RecordMedia',
  state,
  at: at(seconds),
});
const meter = (seconds: number): RealtimeSessionCommand => ({ type: 'MeterSession', at: at(seconds) });
const end = (seconds: number, used_until: number | null = seconds): RealtimeSessionCommand => ({
  type: 'EndSession',
  reason: 'requested',
  used_until: used_until === null ? null : at(used_until),
  at: at(seconds),
});

const given = (...events: ReadonlyArray<RealtimeSessionEvent>) => theSession.given(created, ...events);

describe('a realtime session', () => {
  it('is created once', () => {
    theSession.given().cases([creation('s'), [created]]);
    for (const events of [[], [ended(0, '0', 5)]]) given(...events).cases([creation('s'), { _tag: 'SessionExists' }]);
  });

  it('is erased once, after its end, and accepts no command afterwards', () => {
    const erase: RealtimeSessionCommand = { type: 'EraseSession', at: at(9) };
    const erased: RealtimeSessionEvent = {
      type: 'MediumErased',
      data: { medium: 'realtime_session', owner_id: accountId('owner'), linked: null, at: at(9) },
    };
    theSession.given().cases([erase, { _tag: 'SessionNotFound' }]);
    given().cases([erase, { _tag: 'SessionRunning' }]);
    given(ended(0, '0', 5)).cases([erase, [erased]]);
    given(ended(0, '0', 5), erased).cases(
      [erase, { _tag: 'MediumErased', erased_at: at(9) }],
      [end(10), { _tag: 'SessionNotFound' }],
      [creation('s'), { _tag: 'SessionExists' }],
    );
  });

  it('is negotiated once, whatever is renegotiated', () => {
    const negotiate: RealtimeSessionCommand = { type: 'RecordNegotiation', at: at(1) };
    given().cases([negotiate, [negotiated]]);
    given(negotiated).cases([negotiate, []]);
  });

  it('is connected and disconnected with its media; failed ones stay failed until they are connected again', () => {
    const lost = disconnected(4, 'disconnected');
    given(negotiated).cases(
      [media('connected', 2), [connected(2)]],
      [media('disconnected', 2), []],
      [media('failed', 2), []],
    );
    given(negotiated, connected(2)).cases(
      [media('connected', 3), []],
      [media('failed', 4), [disconnected(4)]],
      [media('disconnected', 4), [lost]],
    );
    given(connected(2), disconnected(4)).cases([media('disconnected', 5), []]);
    given(connected(2), lost).cases([media('failed', 5), [disconnected(5)]]);
    given(connected(2), lost, disconnected(5)).cases([media('failed', 6), []]);
    expect(given(connected(2), lost, disconnected(5), connected(6)).state()).to.include({ status: 'connected' });
  });

  it('is metered by whole seconds from its first media on', () => {
    const first = metered(0, 0, 10, '0.116667', 12);
    given(negotiated).cases([meter(100), []]);
    given(connected(2)).cases([meter(2.999), []], [meter(12), [first]]);
    given(connected(2), first).cases([meter(22), [metered(1, 10, 20, '0.116666', 22)]], [meter(5), []]);
  });

  it('is metered up to its failure, however late that is stored', () => {
    given(connected(0), disconnected(5)).cases([meter(4), [metered(0, 0, 4, '0.046667', 4)]]);
    const beyond = metered(0, 0, 10, '0.116667', 10);
    given(connected(0), beyond, disconnected(5), connected(20)).cases(
      [meter(24), []],
      [meter(27), [metered(1, 10, 12, '0.023333', 27)]],
    );
  });

  it('is charged at its end for the rest, and if its process died only for known use', () => {
    given().cases([end(50), [ended(0, '0', 50)]]);
    given(connected(0), metered(0, 0, 10, '0.116667', 10)).cases(
      [end(15.7), [metered(1, 10, 15, '0.058333', 15.7), ended(15, '0.175', 15.7)]],
      [end(500, null), [ended(10, '0.116667', 500)]],
    );
  });

  it('that has ended or never existed is not found', () => {
    const negotiate: RealtimeSessionCommand = { type: 'RecordNegotiation', at: at(6) };
    for (const command of [media('connected', 6), meter(6), end(6), negotiate])
      for (const events of [[], [created, ended(0, '0', 5)]])
        theSession.given(...events).cases([command, { _tag: 'SessionNotFound' }]);
  });
});

describe('the tokens of a realtime session', () => {
  const issue = (hash: string, seconds: number, lasts = 600): RealtimeSessionCommand => ({
    type: 'IssueToken',
    token_hash: hash,
    token_expires_at: at(seconds + lasts),
    at: at(seconds),
  });
  const issued = (hash: string, seconds: number, lasts = 600): RealtimeSessionEvent => ({
    type: 'RealtimeSessionTokenIssued',
    data: { token_hash: hash, token_expires_at: at(seconds + lasts), at: at(seconds) },
  });

  it('are valid in parallel, each until it expires, even after the session ended', () => {
    given().cases([issue('second', 300), [issued('second', 300)]]);
    for (const events of [[], [ended(0, '0', 400)]]) {
      const state = given(issued('second', 300), ...events).state();
      const valid = (seconds: number) =>
        ['hash', 'second', 'other'].filter((one) => isValidToken(state, one, at(seconds)));
      expect(valid(599)).to.deep.equal(['hash', 'second']);
      expect(valid(600)).to.deep.equal(['second']);
      expect(valid(900)).to.deep.equal([]);
    }
    expect(isValidToken(theSession.given().state(), 'hash', at(0))).to.equal(false);
  });

  it('are limited to fifty at a time, and not issued for an ended session', () => {
    const many = Array.from({ length: 49 }, (_, index) => issued(`t${index}`, 1));
    given(...many).cases([issue('t', 2), { _tag: 'TooManyTokens', most: 50 }], [issue('t', 600), [issued('t', 600)]]);
    given(ended(0, '0', 5)).cases([issue('t', 6), { _tag: 'SessionNotFound' }]);
  });
});

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

  it('gives an account at most its share, whatever others hold, and is full first; a slot of version 1 counts for none', () => {
    const wanted = (account: string, seconds = 0) =>
      takeSlot('c', { account, capacity: 4, account_capacity: 1, seconds, lapses: 14_400 });
    theCapacity
      .given(taken('a'), taken('b', 14_400, 0, 'other'))
      .cases([wanted('owner'), full(1, 'account')], [wanted('third'), [taken('c', 14_400, 0, 'third')]]);
    theCapacity.given(taken('a'), freed('a', 5)).cases([wanted('owner', 6), [taken('c', 14_400, 6)]]);
    theCapacity.given(taken('a', 14_400, 0, null)).cases([wanted('owner'), [taken('c')]]);
    theCapacity.given(taken('a')).cases([takeSlot('b', { capacity: 1, account_capacity: 1 }), full(1)]);
  });

  it('gives as many slots as there are, and as their accounts may have, and no more, for arbitrary commands', () => {
    const command = fc.record({ id: fc.nat(9), account: fc.constantFrom('x', 'y', 'z'), take: fc.boolean() });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state = realtimeCapacity.initial;
        const held = (of: string): number => state.filter(({ account_id }) => account_id === of).length;
        for (const { id, account, take } of commands) {
          const session_id = sessionId(`s${id}`);
          const decision = realtimeCapacity.decide(
            take
              ? takeSlot(session_id, { account, capacity: 4, account_capacity: 2 })
              : { type: 'FreeSlot', session_id, at: at(0) },
            state,
          );
          if (E.isLeft(decision)) expect(decision.left.of === 'service' ? state.length : held(account) + 2).to.equal(4);
          else state = decision.right.reduce(realtimeCapacity.evolve, state);
          expect(Math.max(held('x'), held('y'), held('z'))).to.be.lessThanOrEqual(2);
          expect(state.length).to.be.lessThanOrEqual(4);
          expect(state.some((slot) => slot.session_id === session_id)).to.equal(take && E.isRight(decision));
        }
      }),
    );
  });
});
