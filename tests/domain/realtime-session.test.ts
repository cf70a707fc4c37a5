import { expect } from 'chai';
import type { RealtimeSessionCommand, RealtimeSessionEvent } from '../../domain/realtime-session/contract.js';
import { isValidToken } from '../../domain/realtime-session/decider.js';
import { creditsText } from '../support/credits.js';
import { createdBy, creation, theSession } from '../support/realtime-events.js';
import { accountId, at, sessionId } from '../support/values.js';

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

describe('a realtime session', () => {
  it('is created once', () => {
    theSession.given().when(creation('s')).then(created);
    theSession.given(created).when(creation('s')).thenRefused({ _tag: 'SessionExists' });
  });

  it('is erased once, after its end, and accepts no command afterwards', () => {
    const erase: RealtimeSessionCommand = { type: 'EraseSession', at: at(9) };
    const erased: RealtimeSessionEvent = {
      type: 'MediumErased',
      data: { medium: 'realtime_session', owner_id: accountId('owner'), linked: null, at: at(9) },
    };
    theSession.given().when(erase).thenRefused({ _tag: 'SessionNotFound' });
    theSession.given(created).when(erase).thenRefused({ _tag: 'SessionRunning' });
    theSession
      .given(created, ended(0, '0', 5))
      .when(erase)
      .then(erased);
    theSession
      .given(created, ended(0, '0', 5), erased)
      .when(erase)
      .thenRefused({ _tag: 'MediumErased', erased_at: at(9) });
    theSession.given(erased).cases([end(10), { _tag: 'SessionNotFound' }], [creation('s'), { _tag: 'SessionExists' }]);
  });

  it('is negotiated once, whatever is renegotiated', () => {
    const negotiate: RealtimeSessionCommand = { type: 'RecordNegotiation', at: at(1) };
    theSession.given(created).when(negotiate).then(negotiated);
    theSession.given(created, negotiated).when(negotiate).thenNothing();
    theSession.given(created, negotiated, connected(2)).when(negotiate).thenNothing();
  });

  it('is connected and disconnected with its media', () => {
    theSession.given(created, negotiated).when(media('connected', 2)).then(connected(2));
    theSession.given(created, negotiated, connected(2)).when(media('connected', 3)).thenNothing();
    theSession.given(created, connected(2)).when(media('failed', 4)).then(disconnected(4));
    theSession.given(created, connected(2), disconnected(4)).when(media('disconnected', 5)).thenNothing();
    theSession.given(created, negotiated).cases([media('disconnected', 2), []], [media('failed', 2), []]);
    const lost = disconnected(4, 'disconnected');
    theSession.given(created, connected(2)).when(media('disconnected', 4)).then(lost);
    theSession.given(created, connected(2), lost).when(media('failed', 5)).then(disconnected(5));
    theSession.given(created, connected(2), lost, disconnected(5)).when(media('failed', 6)).thenNothing();
    const state = theSession.given(created, connected(2), lost, disconnected(5), connected(6)).state();
    expect(state).to.include({ status: 'connected' });
  });

  it('is metered by whole seconds from its first media on', () => {
    theSession.given(created, negotiated).when(meter(100)).thenNothing();
    theSession.given(created, connected(2)).cases([meter(2.999), []], [meter(12), [metered(0, 0, 10, '0.116667', 12)]]);
    const first = metered(0, 0, 10, '0.116667', 12);
    theSession
      .given(created, connected(2), first)
      .cases([meter(12.9), []], [meter(22), [metered(1, 10, 20, '0.116666', 22)]], [meter(5), []]);
  });

  it('continues to cost while its media are disconnected', () =>
    theSession
      .given(created, connected(0), disconnected(5, 'disconnected'))
      .when(meter(60))
      .then(metered(0, 0, 60, '0.7', 60)));

  it('costs nothing while its media have failed', () => {
    theSession
      .given(created, connected(0), disconnected(5.9))
      .when(meter(60))
      .then(metered(0, 0, 5, '0.058333', 60));
    theSession
      .given(created, connected(0), disconnected(5.9), metered(0, 0, 5, '0.058333', 60))
      .when(end(100))
      .then(ended(5, '0.058333', 100));
    theSession
      .given(created, connected(0), disconnected(3, 'disconnected'), disconnected(5.5), connected(35.25))
      .when(end(40))
      .then(metered(0, 0, 10, '0.116667', 40), ended(10, '0.116667', 40));
    theSession
      .given(created, connected(0), disconnected(5), connected(10), disconnected(15), connected(30))
      .when(meter(80))
      .then(metered(0, 0, 60, '0.7', 80));
  });

  it('is metered up to its failure, however late that is stored', () => {
    theSession
      .given(created, connected(0), disconnected(5))
      .when(meter(4))
      .then(metered(0, 0, 4, '0.046667', 4));
    const beyond = metered(0, 0, 10, '0.116667', 10);
    theSession
      .given(created, connected(0), beyond, disconnected(5), connected(20))
      .cases([meter(24), []], [meter(27), [metered(1, 10, 12, '0.023333', 27)]]);
  });

  it('is charged at its end for the rest', () => {
    theSession
      .given(created)
      .when(end(50))
      .then(ended(0, '0', 50));
    theSession
      .given(created, connected(0), metered(0, 0, 10, '0.116667', 10))
      .cases(
        [end(15.7), [metered(1, 10, 15, '0.058333', 15.7), ended(15, '0.175', 15.7)]],
        [end(10.2), [ended(10, '0.116667', 10.2)]],
      );
  });

  it('whose process died is charged only for known use', () =>
    theSession
      .given(created, connected(0), metered(0, 0, 10, '0.116667', 10))
      .when(end(500, null))
      .then(ended(10, '0.116667', 500)));

  it('that has ended or never existed is not found', () => {
    const erased = ended(0, '0', 5);
    for (const command of [
      media('connected', 6),
      meter(6),
      end(6),
      { type: 'RecordNegotiation', at: at(6) } as const,
    ]) {
      theSession.given(created, erased).when(command).thenRefused({ _tag: 'SessionNotFound' });
      theSession.given().when(command).thenRefused({ _tag: 'SessionNotFound' });
    }
    theSession.given(created, erased).when(creation('s')).thenRefused({ _tag: 'SessionExists' });
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
    theSession.given(created).when(issue('second', 300)).then(issued('second', 300));
    for (const events of [[], [ended(0, '0', 400)]]) {
      const state = theSession.given(created, issued('second', 300), ...events).state();
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
    theSession
      .given(created, ...many)
      .cases([issue('t', 2), { _tag: 'TooManyTokens', most: 50 }], [issue('t', 600), [issued('t', 600)]]);
    theSession
      .given(created, ended(0, '0', 5))
      .when(issue('t', 6))
      .thenRefused({ _tag: 'SessionNotFound' });
  });
});
