import { expect } from 'chai';
import { type HeldSession, unbookedUse, nextWakeAt } from '../../domain/realtime-session/held-session.js';
import type { SessionInput } from '../../domain/realtime-session/step.js';
import { credits } from '../support/credits.js';
import { heldSession, terms } from '../support/held-session.js';
import { at } from '../support/values.js';

const time: SessionInput = { type: 'TimePassed' };
const negotiated: SessionInput = { type: 'Negotiated' };
const noted: SessionInput = { type: 'MediaStored' };
const media = (state: 'connected' | 'disconnected' | 'failed'): SessionInput => ({ type: 'MediaReported', state });
const connected = media('connected');
const opened: SessionInput = { type: 'ListenerOpened', balance: credits('9') };
const left: SessionInput = { type: 'ListenerLeft' };
const lasts = (seconds_left: number): SessionInput => ({ type: 'CreditChecked', seconds_left });
const booked = (seconds: number): SessionInput => ({ type: 'Metered', booked: { seconds, charged: credits('0.1') } });
const endWanted = (reason: 'insufficient_credits' | 'key_revoked' | 'server_shutdown'): SessionInput => ({
  type: 'EndRequested',
  reason,
});
const ended = (duration_seconds: number): SessionInput => ({
  type: 'Ended',
  reason: 'requested',
  duration_seconds,
  charged: credits('0.1'),
});
const wakes = (session: HeldSession): number | null => {
  const until = nextWakeAt(session);
  return until === null ? null : (Date.parse(until) - Date.parse(at(0))) / 1_000;
};
const effectOf = (reason: string) => [{ type: 'End', reason }];

describe('the time of a session that a process holds', () => {
  it('is short without media and a listener, negotiated or not', () => {
    expect(wakes(heldSession().session)).to.equal(30);
    expect(wakes(heldSession([10, negotiated]).session)).to.equal(30);
    expect(heldSession().when(29.999, time).effects).to.deep.equal([]);
    expect(heldSession().when(30, time).effects).to.deep.equal(effectOf('idle_timeout'));
  });
  it('is short without an answered offer', () => {
    expect(wakes(heldSession([5, opened]).session)).to.equal(60);
    expect(heldSession([5, opened]).when(60, time).effects).to.deep.equal(effectOf('negotiation_timeout'));
    expect(wakes(heldSession([5, opened], [59, negotiated]).session)).to.equal(600);
  });
  it('is up at last, whatever it does', () => {
    const used = heldSession([5, opened], [5, negotiated]);
    expect(used.when(600, time).effects).to.deep.equal(effectOf('expired'));
  });
  it('begins to run out again when the media or the listener go', () => {
    const used = heldSession([5, opened], [5, negotiated], [20, connected], [20, noted]);
    expect(wakes(used.when(25, left).session)).to.equal(30.005);
    const alone = heldSession([1, negotiated], [2, connected], [2, noted], [3, media('failed')], [3, noted]);
    expect(wakes(alone.session)).to.equal(12.005);
    const idle = heldSession([1, opened], [1, negotiated], [40, left]);
    expect(wakes(idle.session)).to.equal(70);
    expect(wakes(idle.when(50, media('disconnected')).session)).to.equal(70);
    expect(idle.when(70, time).effects).to.deep.equal(effectOf('idle_timeout'));
  });
  it('ends for what comes first, however late it hears of it', () => {
    expect(heldSession().when(1_000, time).effects).to.deep.equal(effectOf('idle_timeout'));
  });
});

describe('the media of a session that a process holds', () => {
  it('are told, noted and charged from the first on', () => {
    const first = heldSession([1, opened], [1, negotiated]).when(2, connected);
    expect(first.effects).to.deep.equal([
      { type: 'Send', news: { type: 'media', state: 'connected' } },
      { type: 'RecordMedia', state: 'connected', at: at(2) },
      { type: 'CheckCredit' },
    ]);
    expect(wakes(first.session)).to.equal(12.005);
  });
  it('cost nothing that never were connected', () => {
    const failed = heldSession([1, opened], [1, negotiated]).when(2, media('failed'));
    expect(failed.effects.map(({ type }) => type)).to.deep.equal(['Send', 'RecordMedia']);
    expect(wakes(failed.session)).to.equal(600);
  });
  it('that come again are charged from the first time on', () => {
    const again = heldSession([2, connected], [2, noted], [3, media('failed')], [3, noted]).when(5, connected);
    expect(again.effects.map(({ type }) => type)).to.deep.equal(['Send', 'RecordMedia']);
    expect(wakes(again.session)).to.equal(12.005);
    expect(unbookedUse(again.session, at(6))).to.include({ unbooked_ms: 4_000 });
  });
  it('are told once', () => {
    expect(heldSession([2, connected]).when(3, connected).effects).to.deep.equal([]);
  });
  it('are noted one after the other, each with its own time', () => {
    const busy = heldSession([2, connected]);
    expect(busy.when(3, media('failed')).effects).to.deep.equal([
      { type: 'Send', news: { type: 'media', state: 'failed' } },
    ]);
    const behind = heldSession([2, connected], [3, media('failed')]);
    expect(behind.when(4, noted).effects).to.deep.equal([{ type: 'RecordMedia', state: 'failed', at: at(3) }]);
    expect(heldSession([2, connected]).when(4, noted).effects).to.deep.equal([]);
  });
  it('are noted a second later when they could not be', () => {
    const refused = heldSession([2, connected], [3, { type: 'MediaNotStored' }]);
    expect(wakes(refused.session)).to.equal(4);
    expect(refused.when(4, time).effects).to.deep.equal([{ type: 'RecordMedia', state: 'connected', at: at(2) }]);
  });
  it('are told to a listener who comes later, whose credit is looked at', () => {
    expect(heldSession().when(1, opened).effects).to.deep.equal([
      { type: 'Send', news: { type: 'ready', balance: credits('9') } },
    ]);
    expect(heldSession([2, connected]).when(3, opened).effects).to.deep.equal([
      { type: 'Send', news: { type: 'ready', balance: credits('9') } },
      { type: 'Send', news: { type: 'media', state: 'connected' } },
      { type: 'CheckCredit' },
    ]);
  });
});

describe('the metering of a session that a process holds', () => {
  const used = [
    [1, negotiated],
    [2, connected],
    [2, noted],
  ] as const;
  it('is due every so many seconds from the first media, and not while one is under way', () => {
    const due = heldSession(...used).when(12.005, time);
    expect(due.effects).to.deep.equal([{ type: 'Meter' }, { type: 'CheckCredit' }]);
    expect(wakes(due.session)).to.equal(600);
    const after = heldSession(...used, [12.005, time]).when(13, booked(10));
    expect(after.effects).to.deep.equal([{ type: 'SendUsage', charged: credits('0.1') }]);
    expect(wakes(after.session)).to.equal(22.005);
    expect(wakes(heldSession(...used, [12.005, time]).when(34, { type: 'MeteringFailed' }).session)).to.equal(42.005);
  });
  it('goes on as before when the credit asked for one between', () => {
    const asked = heldSession(...used).when(12, { type: 'MeteringRequested' });
    expect(asked.effects).to.deep.equal([{ type: 'Meter' }]);
    expect(wakes(heldSession(...used).when(12.001, booked(9)).session)).to.equal(12.005);
    expect(heldSession(...used).when(12, { type: 'Metered', booked: null }).effects).to.deep.equal([]);
  });
  it('is not asked for without media, nor at the end', () => {
    expect(heldSession().when(1, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    const ending = heldSession(...used, [5, endWanted('key_revoked')]);
    expect(ending.when(6, { type: 'MeteringRequested' }).effects).to.deep.equal([]);
    expect(wakes(ending.when(6, booked(3)).session)).to.equal(null);
  });
  it('knows what is used and not booked', () => {
    const use = (unbooked_ms: number) => ({ price_per_minute: terms.price_per_minute, unbooked_ms });
    expect(unbookedUse(heldSession().session, at(9))).to.equal(null);
    expect(unbookedUse(heldSession(...used).session, at(3.5))).to.deep.equal(use(1_500));
    expect(unbookedUse(heldSession(...used).session, at(1))).to.deep.equal(use(0));
    expect(unbookedUse(heldSession(...used, [12.25, booked(10)]).session, at(12.25))).to.deep.equal(use(250));
    expect(unbookedUse(heldSession(...used, [12.25, ended(10)]).session, at(13))).to.equal(null);
  });
});

describe('the listener of a session whose credit runs low', () => {
  const warning = (seconds_left: number) => [
    { type: 'Send', news: { type: 'warning', code: 'credits_low', seconds_left } },
  ];
  it('is warned once, and again after there was more', () => {
    const heard = [1, opened] as const;
    expect(heldSession(heard).when(2, lasts(60)).effects).to.deep.equal([]);
    expect(heldSession(heard).when(2, lasts(59.9)).effects).to.deep.equal(warning(59));
    expect(heldSession(heard, [2, lasts(59)]).when(3, lasts(58)).effects).to.deep.equal([]);
    expect(heldSession(heard, [2, lasts(59)], [3, lasts(61)]).when(4, lasts(7)).effects).to.deep.equal(warning(7));
  });
  it('is warned when it comes, and not once it has gone', () => {
    expect(heldSession([1, lasts(5)], [1, opened]).when(2, lasts(4)).effects).to.deep.equal(warning(4));
    expect(heldSession([1, opened], [2, left]).when(3, lasts(4)).effects).to.deep.equal([]);
  });
});

describe('the end of a session that a process holds', () => {
  it('is asked for once, and again a second later when it could not be written', () => {
    const ending = heldSession([1, endWanted('key_revoked')]);
    expect(wakes(ending.session)).to.equal(null);
    expect(ending.when(2, endWanted('insufficient_credits')).effects).to.deep.equal([]);
    const refused = heldSession([1, endWanted('key_revoked')], [3, { type: 'EndingFailed' }]);
    expect(wakes(refused.session)).to.equal(4);
    expect(refused.when(4, time).effects).to.deep.equal(effectOf('key_revoked'));
  });
  it('is waited for with nothing but what is to be noted', () => {
    const ending = heldSession([2, connected], [3, { type: 'MediaNotStored' }], [3, endWanted('key_revoked')]);
    expect(wakes(ending.session)).to.equal(4);
    expect(wakes(ending.when(3.5, media('failed')).session)).to.equal(4);
    expect(wakes(heldSession([3, endWanted('key_revoked')]).when(4, connected).session)).to.equal(null);
    expect(wakes(heldSession([1, opened], [3, endWanted('key_revoked')]).when(4, left).session)).to.equal(null);
  });
  it('is tried once by a process that has to leave', () => {
    const leaving = heldSession([1, endWanted('key_revoked')]).when(2, endWanted('server_shutdown'));
    expect(leaving.effects).to.deep.equal(effectOf('server_shutdown'));
    const refused = heldSession([1, connected], [2, endWanted('server_shutdown')], [3, { type: 'EndingFailed' }]);
    expect(wakes(refused.session)).to.equal(null);
    expect(wakes(refused.when(4, { type: 'MediaNotStored' }).session)).to.equal(null);
    const recording = heldSession([1, connected], [2, { type: 'MediaNotStored' }]);
    expect(wakes(recording.when(2, endWanted('server_shutdown')).session)).to.equal(null);
  });
  it('lets go of it, and says what it cost and why', () => {
    const used = heldSession([2, connected]).when(9, ended(7));
    expect(used.effects).to.deep.equal([
      { type: 'ReleaseMedia' },
      { type: 'SendUsage', charged: credits('0.1') },
      { type: 'SendEnd', reason: 'requested' },
    ]);
    expect(used.session).to.deep.equal({ _tag: 'Finished' });
    expect(heldSession().when(9, ended(0)).effects).to.deep.equal([
      { type: 'ReleaseMedia' },
      { type: 'SendEnd', reason: 'requested' },
    ]);
  });
  it('is the last that happens to it', () => {
    for (const input of [time, connected, opened, lasts(1), endWanted('key_revoked'), booked(9), ended(7), noted])
      expect(heldSession([2, connected], [9, ended(7)]).when(20, input)).to.deep.equal({
        session: { _tag: 'Finished' },
        effects: [],
      });
    expect(wakes(heldSession([9, ended(7)]).session)).to.equal(null);
  });
  it('is not made by what has nothing more to be done', () => {
    for (const input of [
      negotiated,
      left,
      { type: 'MediaNotStored' },
      { type: 'MeteringFailed' },
      { type: 'EndingFailed' },
    ] as const)
      expect(heldSession([2, connected]).when(3, input).effects).to.deep.equal([]);
  });
  it('is read when a command finds that it was there already; what cannot be read is looked for again', () => {
    const found: SessionInput = { type: 'FoundEnded' };
    expect(heldSession([2, connected], [12.005, time]).when(13, found).effects).to.deep.equal([{ type: 'ReadEnd' }]);
    expect(wakes(heldSession([2, connected], [2, noted], [12.005, time], [13, found]).session)).to.equal(22.005);
    expect(wakes(heldSession([2, { type: 'EndingFailed' }]).session)).to.equal(30);
  });
});
