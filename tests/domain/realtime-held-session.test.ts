import { expect } from 'chai';
import {
  type SessionEffect,
  type SessionInput,
  unbookedUse,
  usedUntil,
  nextCreditCheck,
  secondsLeft,
} from '../../domain/realtime-session/step.js';
import { at, credits } from '../support/values.js';
import {
  booked,
  connected,
  endWanted,
  heldSession,
  left,
  media,
  negotiated,
  noted,
  opened,
  terms,
  time,
  wakes,
} from '../support/realtime-events.js';

const lasts = (seconds_left: number): SessionInput => ({ type: 'CreditChecked', seconds_left });
const ended: SessionInput = { type: 'Ended', reason: 'requested', charged: credits('0.1') };
const effectOf = (reason: string) => [{ type: 'End', reason }];
const kindsOf = ({ effects }: { readonly effects: ReadonlyArray<SessionEffect> }) => effects.map(({ type }) => type);

describe('timeouts of a held session', () => {
  it('end it without media and listener, negotiated or not', () => {
    expect(wakes(heldSession().session)).to.equal(30);
    expect(wakes(heldSession([10, negotiated]).session)).to.equal(30);
    expect(heldSession().when(29.999, time).effects).to.deep.equal([]);
    for (const late of [30, 1_000])
      expect(heldSession().when(late, time).effects).to.deep.equal(effectOf('idle_timeout'));
  });
  it('end it without an answered offer', () => {
    expect(wakes(heldSession([5, opened]).session)).to.equal(60);
    expect(heldSession([5, opened]).when(60, time).effects).to.deep.equal(effectOf('negotiation_timeout'));
    expect(wakes(heldSession([5, opened], [59, negotiated]).session)).to.equal(600);
  });
  it('end it after its maximum duration', () => {
    const used = heldSession([5, opened], [5, negotiated]);
    expect(used.when(600, time).effects).to.deep.equal(effectOf('expired'));
  });
  it('restart when media or listener leave', () => {
    const used = heldSession([5, opened], [5, negotiated], [20, connected], [20, noted]);
    expect(wakes(used.when(25, left).session)).to.equal(30.005);
    const alone = heldSession([1, negotiated], [2, connected], [2, noted], [3, media('failed')], [3, noted]);
    expect(wakes(alone.session)).to.equal(33);
    const idle = heldSession([1, opened], [1, negotiated], [40, left]);
    expect(wakes(idle.session)).to.equal(70);
    expect(wakes(idle.when(50, media('disconnected')).session)).to.equal(70);
  });
});

describe('media of a held session', () => {
  it('are reported, stored and charged from the first connection', () => {
    const first = heldSession([1, opened], [1, negotiated]).when(2, connected);
    expect(first.effects).to.deep.equal([
      { type: 'Send', message: { type: 'media', state: 'connected' } },
      { type: 'RecordMedia', state: 'connected', at: at(2) },
      { type: 'CheckCredit' },
    ]);
    expect(wakes(first.session)).to.equal(12.005);
    expect(heldSession([2, connected]).when(3, connected).effects, 'again').to.deep.equal([]);
  });
  it('cost nothing if never connected', () => {
    const failed = heldSession([1, opened], [1, negotiated]).when(2, media('failed'));
    expect(kindsOf(failed)).to.deep.equal(['Send', 'RecordMedia']);
    expect(wakes(failed.session)).to.equal(600);
  });
  it('are stored one after the other, each with its own time', () => {
    const busy = heldSession([2, connected]);
    expect(kindsOf(busy.when(3, media('failed')))).to.deep.equal(['Send', 'Meter']);
    const behind = heldSession([2, connected], [3, media('failed')]);
    expect(behind.when(4, noted).effects).to.deep.equal([{ type: 'RecordMedia', state: 'failed', at: at(3) }]);
    expect(heldSession([2, connected]).when(4, noted).effects).to.deep.equal([]);
  });
  it('are stored again a second after a failure', () => {
    const refused = heldSession([2, connected], [3, { type: 'MediaNotStored' }]);
    expect(wakes(refused.session)).to.equal(4);
    expect(refused.when(4, time).effects).to.deep.equal([{ type: 'RecordMedia', state: 'connected', at: at(2) }]);
  });
  it('are reported to a later listener, and the credit is checked', () => {
    expect(heldSession().when(1, opened).effects).to.deep.equal([
      { type: 'Send', message: { type: 'ready', balance: credits('9') } },
    ]);
    expect(heldSession([2, connected]).when(3, opened).effects).to.deep.equal([
      { type: 'Send', message: { type: 'ready', balance: credits('9') } },
      { type: 'Send', message: { type: 'media', state: 'connected' } },
      { type: 'CheckCredit' },
    ]);
  });
});

describe('media of a held session that are lost', () => {
  it('are charged without a break when they were only disconnected', () => {
    const again = heldSession([2, connected], [2, noted], [3, media('disconnected')], [3, noted]).when(5, connected);
    expect(kindsOf(again)).to.deep.equal(['Send', 'RecordMedia']);
    expect(wakes(again.session)).to.equal(12.005);
    expect(unbookedUse(again.session, at(6))).to.include({ unbooked_ms: 4_000 });
  });
  it('are charged up to their failure, and again once a new offer has connected them', () => {
    const open = [
      [1, opened],
      [2, connected],
      [2, noted],
    ] as const;
    const failed = heldSession(...open).when(7.5, media('failed'));
    expect(kindsOf(failed)).to.deep.equal(['Send', 'RecordMedia', 'Meter']);
    expect(wakes(failed.session), 'the negotiation').to.equal(60);
    expect(unbookedUse(failed.session, at(9))).to.equal(null);
    expect(usedUntil(failed.session, at(9))).to.equal(at(7.5));

    const waiting = [...open, [7.5, media('failed')], [7.5, noted], [8, booked(5)]] as const;
    expect(wakes(heldSession(...waiting).session)).to.equal(60);
    expect(heldSession(...waiting).when(9, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    const back = heldSession(...waiting).when(27.5, connected);
    expect(kindsOf(back)).to.deep.equal(['Send', 'RecordMedia', 'CheckCredit']);
    expect(wakes(back.session)).to.equal(32.005);
    expect(unbookedUse(back.session, at(28))).to.include({ unbooked_ms: 1_000 });
    expect(usedUntil(back.session, at(28))).to.equal(at(28));
  });
  it('that have failed stay failed until they are connected', () => {
    const failed = heldSession([2, connected], [3, media('failed')]);
    expect(failed.when(4, media('disconnected'))).to.deep.equal({ effects: [], session: failed.session });
  });
  it('are not metered at their failure if the session is ending', () => {
    const ending = heldSession([2, connected], [2, noted], [3, endWanted('key_revoked')]).when(4, media('failed'));
    expect(kindsOf(ending)).to.deep.equal(['Send', 'RecordMedia']);
  });
});

describe('metering of a held session', () => {
  const used = [
    [1, negotiated],
    [2, connected],
    [2, noted],
  ] as const;
  it('is due at regular intervals from the first media, and not while one is in progress', () => {
    const due = heldSession(...used).when(12.005, time);
    expect(due.effects).to.deep.equal([{ type: 'Meter' }, { type: 'CheckCredit' }]);
    expect(wakes(due.session)).to.equal(600);
    const after = heldSession(...used, [12.005, time]).when(13, booked(10));
    expect(after.effects).to.deep.equal([{ type: 'SendUsage', charged: credits('0.1') }]);
    expect(wakes(after.session)).to.equal(22.005);
    expect(wakes(heldSession(...used, [12.005, time]).when(34, { type: 'MeteringFailed' }).session)).to.equal(42.005);
  });
  it('keeps its schedule after an additional metering', () => {
    const outcome = heldSession(...used).when(12, { type: 'MeteringRequested' });
    expect(outcome.effects).to.deep.equal([{ type: 'Meter' }]);
    expect(wakes(heldSession(...used).when(12.001, booked(9)).session)).to.equal(12.005);
    expect(heldSession(...used).when(12, { type: 'Metered', booked: null }).effects).to.deep.equal([]);
  });
  it('does not happen without media or at the end', () => {
    expect(heldSession().when(1, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    const ending = heldSession(...used, [5, endWanted('key_revoked')]);
    expect(ending.when(6, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    expect(wakes(ending.when(6, booked(3)).session)).to.equal(null);
  });
  it('knows the use that is not charged', () => {
    const use = (unbooked_ms: number) => ({ price_per_minute: terms.price_per_minute, unbooked_ms });
    expect(unbookedUse(heldSession().session, at(9))).to.equal(null);
    expect(unbookedUse(heldSession(...used).session, at(3.5))).to.deep.equal(use(1_500));
    expect(unbookedUse(heldSession(...used).session, at(1))).to.deep.equal(use(0));
    expect(unbookedUse(heldSession(...used, [12.25, booked(10)]).session, at(12.25))).to.deep.equal(use(250));
    expect(unbookedUse(heldSession(...used, [12.25, ended]).session, at(13))).to.equal(null);
  });
});

describe('the listener of a session with low credit', () => {
  const warning = (seconds_left: number) => [
    { type: 'Send', message: { type: 'warning', code: 'credits_low', seconds_left } },
  ];
  it('is warned once, and again after the credit had recovered', () => {
    const listening = [1, opened] as const;
    expect(heldSession(listening).when(2, lasts(60)).effects).to.deep.equal([]);
    expect(heldSession(listening).when(2, lasts(59.9)).effects).to.deep.equal(warning(59));
    expect(heldSession(listening, [2, lasts(59)]).when(3, lasts(58)).effects).to.deep.equal([]);
    expect(heldSession(listening, [2, lasts(59)], [3, lasts(61)]).when(4, lasts(7)).effects).to.deep.equal(warning(7));
  });
  it('is warned when it joins, and not after it left', () => {
    expect(heldSession([1, lasts(5)], [1, opened]).when(2, lasts(4)).effects).to.deep.equal(warning(4));
    expect(heldSession([1, opened], [2, left]).when(3, lasts(4)).effects).to.deep.equal([]);
  });
});

describe('the end of a held session', () => {
  it('is requested once, and again a second after a failure', () => {
    const ending = heldSession([1, endWanted('key_revoked')]);
    expect(wakes(ending.session)).to.equal(null);
    expect(ending.when(2, endWanted('insufficient_credits')).effects).to.deep.equal([]);
    const refused = heldSession([1, endWanted('key_revoked')], [3, { type: 'EndingFailed' }]);
    expect(wakes(refused.session)).to.equal(4);
    expect(refused.when(4, time).effects).to.deep.equal(effectOf('key_revoked'));
  });
  it('stops all waits except the storing of media changes', () => {
    const ending = heldSession([2, connected], [3, { type: 'MediaNotStored' }], [3, endWanted('key_revoked')]);
    expect(wakes(ending.session)).to.equal(4);
    expect(wakes(ending.when(3.5, media('failed')).session)).to.equal(4);
    expect(wakes(heldSession([3, endWanted('key_revoked')]).when(4, connected).session)).to.equal(null);
    expect(wakes(heldSession([1, opened], [3, endWanted('key_revoked')]).when(4, left).session)).to.equal(null);
  });
  it('is tried once by a process that shuts down', () => {
    const leaving = heldSession([1, endWanted('key_revoked')]).when(2, endWanted('server_shutdown'));
    expect(leaving.effects).to.deep.equal(effectOf('server_shutdown'));
    const refused = heldSession([1, connected], [2, endWanted('server_shutdown')], [3, { type: 'EndingFailed' }]);
    expect(wakes(refused.session)).to.equal(null);
    expect(wakes(refused.when(4, { type: 'MediaNotStored' }).session)).to.equal(null);
    const recording = heldSession([1, connected], [2, { type: 'MediaNotStored' }]);
    expect(wakes(recording.when(2, endWanted('server_shutdown')).session)).to.equal(null);
  });
  it('releases it, and reports the cost and the reason', () => {
    const used = heldSession([2, connected]).when(9, ended);
    expect(used.effects).to.deep.equal([
      { type: 'ReleaseMedia' },
      { type: 'SendUsage', charged: credits('0.1') },
      { type: 'SendEnd', reason: 'requested' },
    ]);
    expect(used.session).to.deep.equal({ _tag: 'Finished' });
  });
  it('is final', () => {
    const over = heldSession([2, connected], [9, ended]);
    expect(wakes(over.session)).to.equal(null);
    for (const input of [time, booked(9)])
      expect(over.when(20, input)).to.deep.equal({ session: { _tag: 'Finished' }, effects: [] });
  });
  it('is not reached by inputs without effect', () => {
    const failures = [{ type: 'MediaNotStored' }, { type: 'MeteringFailed' }, { type: 'EndingFailed' }] as const;
    for (const input of [negotiated, left, ...failures])
      expect(heldSession([2, connected]).when(3, input).effects).to.deep.equal([]);
  });
  it('is read when a command finds the session ended, and again if reading fails', () => {
    const found: SessionInput = { type: 'FoundEnded' };
    expect(heldSession([2, connected], [12.005, time]).when(13, found).effects).to.deep.equal([{ type: 'ReadEnd' }]);
    expect(wakes(heldSession([2, connected], [2, noted], [12.005, time], [13, found]).session)).to.equal(22.005);
    expect(wakes(heldSession([2, { type: 'EndingFailed' }]).session)).to.equal(30);
  });
});

const use = (price: string, unbooked_ms = 0) => ({ price_per_minute: credits(price), unbooked_ms });

describe('how long credit lasts', () => {
  it('is what the credit buys, to the millisecond', () => {
    expect(secondsLeft([use('6')], credits('1'))).to.equal(10);
    expect(secondsLeft([use('0.7')], credits('0.1'))).to.equal(8.571);
    expect(secondsLeft([use('60'), use('60')], credits('1'))).to.equal(0.5);
  });
  it('is reduced by use that is not charged', () => {
    expect(secondsLeft([use('60', 250), use('60', 500)], credits('1'))).to.equal(0.125);
  });
  it('is zero when used up, and infinite when nothing costs', () => {
    for (const used of [1_000, 5_000]) expect(secondsLeft([use('60', used)], credits('1'))).to.equal(0);
    expect(secondsLeft([use('0', 5_000)], credits('1'))).to.equal(Number.POSITIVE_INFINITY);
    expect(secondsLeft([], credits('1'))).to.equal(Number.POSITIVE_INFINITY);
  });
});

describe('the next credit check', () => {
  it('happens when the credit becomes low, at most an hour later', () => {
    expect(nextCreditCheck(100)).to.deep.equal({ after_seconds: 40.005, books: false });
    expect(nextCreditCheck(60)).to.deep.equal({ after_seconds: 0.25, books: false });
    expect(nextCreditCheck(100_000)).to.deep.equal({ after_seconds: 3_600, books: false });
  });
  it('happens when the credit is used up, after charging everything, once it is low', () => {
    expect(nextCreditCheck(59)).to.deep.equal({ after_seconds: 59.005, books: true });
    expect(nextCreditCheck(0)).to.deep.equal({ after_seconds: 0.25, books: true });
  });
  it('never happens when nothing costs', () => expect(nextCreditCheck(Number.POSITIVE_INFINITY)).to.equal(null));
});
