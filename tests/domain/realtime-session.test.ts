import { expect } from 'chai';
import type { RealtimeSessionCommand, RealtimeSessionEvent } from '../../domain/realtime-session/contract.js';
import { isValidToken } from '../../domain/realtime-session/decider.js';
import { creditsText, accountId, at, sessionId } from '../support/values.js';
import { createdBy, creation, theSession } from '../support/realtime-events.js';

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
    given(negotiated, connected(2)).cases([negotiate, []]);
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
    given(connected(2), first).cases(
      [meter(12.9), []],
      [meter(22), [metered(1, 10, 20, '0.116666', 22)]],
      [meter(5), []],
    );
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
      [end(10.2), [ended(10, '0.116667', 10.2)]],
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
