import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { add, creditsOf, priceOf, zeroCredits } from '../../domain/kernel/credits.js';
import type {
  MediaState,
  RealtimeSessionCommand,
  RealtimeSessionEvent,
} from '../../domain/realtime-session/contract.js';
import { realtimeSession } from '../../domain/realtime-session/decider.js';
import {
  type HeldSession,
  type SessionEffect,
  type SessionInput,
  newHeldSession,
  nextWakeAt,
  usedUntil,
  step,
} from '../../domain/realtime-session/step.js';
import { credits, at } from '../support/values.js';
import { creation, terms } from '../support/realtime-events.js';
import { shortOrLong } from '../support/long-form.js';

type Outcome = 'written' | 'refused' | 'written, answer lost';

/** A session, its stream, and pending effects between both. */
const process = (price: string) => {
  const events: RealtimeSessionEvent[] = [];
  const effects: SessionEffect[] = [];
  const underWay: (readonly [SessionEffect, number])[] = [];
  let stream = realtimeSession.initial;
  let session: HeldSession = newHeldSession({ ...terms, price_per_minute: credits(price) }, at(0));
  let now = 0;
  /** For how long media have been in use: connected or disconnected. */
  const used = { seconds: 0, since: 0, isNow: false };
  const noteUse = (state: MediaState): void => {
    if (used.isNow) used.seconds += now - used.since;
    used.since = now;
    used.isNow = state === 'connected' || (used.isNow && state === 'disconnected');
  };

  /** Whether the stream knew all but the newest change of the media whenever use was charged. */
  let knewMedia = true;
  const written = (command: RealtimeSessionCommand): boolean => {
    if (command.type !== 'RecordMedia' && session._tag === 'Running' && session.unwritten.length > 1) knewMedia = false;
    const decision = realtimeSession.decide(command, stream);
    if (E.isLeft(decision)) return false;
    events.push(...decision.right);
    stream = decision.right.reduce(realtimeSession.evolve, stream);
    return true;
  };
  const receive = (input: SessionInput): void => {
    if (input.type === 'MediaReported') noteUse(input.state);
    const wasOver = session._tag === 'Finished';
    const [next, made] = step(session, input, at(now));
    if (wasOver) expect([next, made, nextWakeAt(next)]).to.deep.equal([{ _tag: 'Finished' }, [], null]);
    session = next;
    effects.push(...made);
    for (const effect of made)
      if (['RecordMedia', 'Meter', 'End', 'ReadEnd'].includes(effect.type)) underWay.push([effect, now]);
    const isEnding = underWay.some(([{ type }]) => type === 'End' || type === 'ReadEnd');
    const isLeft = session._tag === 'Running' && session.ending === 'server_shutdown';
    if (session._tag === 'Running' && !isEnding && !isLeft)
      expect(nextWakeAt(session), 'waits for ever').not.to.equal(null);
  };
  const notifyEnd = (): void => {
    if (stream._tag === 'Ended') receive({ type: 'Ended', ...stream });
    else receive({ type: 'EndingFailed' });
  };
  const refusedTo: Readonly<Record<string, SessionInput>> = {
    RecordMedia: { type: 'MediaNotStored' },
    Meter: { type: 'MeteringFailed' },
    End: { type: 'EndingFailed' },
    ReadEnd: { type: 'EndingFailed' },
  };
  const carryOut = (effect: SessionEffect, since: number): SessionInput | null => {
    if (effect.type === 'RecordMedia') {
      written({ type: 'RecordMedia', state: effect.state, at: effect.at });
      return { type: 'MediaStored' };
    }
    if (effect.type === 'Meter') {
      const before = events.length;
      if (!written({ type: 'MeterSession', at: usedUntil(session, at(since)) })) return { type: 'FoundEnded' };
      if (stream._tag !== 'Open' || events.length === before) return { type: 'Metered', booked: null };
      return { type: 'Metered', booked: { seconds: stream.metered_seconds, charged: stream.charged } };
    }
    const used_until = usedUntil(session, at(since));
    const ends = effect.type === 'End';
    return ends && !written({ ...effect, type: 'EndSession', used_until, at: at(since) })
      ? { type: 'FoundEnded' }
      : null;
  };
  const answer = (which: number, outcome: Outcome): void => {
    const [found] = underWay.splice(which % Math.max(1, underWay.length), 1);
    if (found === undefined) return;
    const [effect, since] = found;
    const input = outcome === 'refused' ? null : carryOut(effect, since);
    if (outcome === 'written') return input === null ? notifyEnd() : receive(input);
    const refused = refusedTo[effect.type];
    if (refused !== undefined) receive(refused);
  };
  /** Lets time pass like timers do, sometimes a moment too early. */
  const pass = (seconds: number): void => {
    const until = now + seconds;
    for (let turn = 0; ; turn += 1) {
      expect(turn, 'wakes without end').to.be.lessThan(500);
      const wakes = nextWakeAt(session);
      if (wakes === null || wakes > at(until)) break;
      now = Math.max(now, (Date.parse(wakes) - Date.parse(at(0)) - 1) / 1_000);
      receive({ type: 'TimePassed' });
      now = Math.max(now, (Date.parse(wakes) - Date.parse(at(0))) / 1_000);
      receive({ type: 'TimePassed' });
    }
    now = until;
  };
  written(creation('s', { price }));
  return {
    events,
    effects,
    receive,
    answer,
    pass,
    underWay,
    session: () => session,
    knewMedia: () => knewMedia,
    usedSeconds: () => used.seconds + (used.isNow ? now - used.since : 0),
    /** Somebody else ends it: a client, with a notification, or another instance, without one. */
    end: (notifies: boolean): void => {
      const used_until = notifies ? usedUntil(session, at(now)) : null;
      if (written({ type: 'EndSession', reason: 'requested', used_until, at: at(now) }) && notifies) notifyEnd();
    },
  };
};

type Process = ReturnType<typeof process>;

const price = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6));

const input: fc.Arbitrary<SessionInput> = fc.oneof(
  fc.constantFrom<SessionInput[]>(
    { type: 'Negotiated' },
    { type: 'MediaReported', state: 'connected' },
    { type: 'MediaReported', state: 'connected' },
    { type: 'MediaReported', state: 'disconnected' },
    { type: 'MediaReported', state: 'failed' },
    { type: 'ListenerOpened', balance: zeroCredits },
    { type: 'ListenerLeft' },
    { type: 'TimePassed' },
    { type: 'MeteringRequested' },
    { type: 'EndRequested', reason: 'insufficient_credits' },
    { type: 'EndRequested', reason: 'key_revoked' },
    { type: 'EndRequested', reason: 'server_shutdown' },
  ),
  fc.integer({ min: 0, max: 120 }).map((seconds_left): SessionInput => ({ type: 'CreditChecked', seconds_left })),
);

const happening: fc.Arbitrary<(to: Process) => void> = fc.oneof(
  { weight: 40, arbitrary: input.map((one) => (to: Process) => to.receive(one)) },
  { weight: 30, arbitrary: fc.integer({ min: 0, max: 40_000 }).map((ms) => (to: Process) => to.pass(ms / 1_000)) },
  {
    weight: 50,
    arbitrary: fc
      .tuple(fc.nat(9), fc.constantFrom<Outcome[]>('written', 'written', 'refused', 'written, answer lost'))
      .map(
        ([which, outcome]) =>
          (to: Process) =>
            to.answer(which, outcome),
      ),
  },
  { weight: 3, arbitrary: fc.boolean().map((notifies) => (to: Process) => to.end(notifies)) },
);

/** From now on every write succeeds, and the process shuts down. */
const drained = (one: Process): void => {
  one.receive({ type: 'EndRequested', reason: 'server_shutdown' });
  for (let turn = 0; one.underWay.length > 0; turn += 1) {
    expect(turn, 'never comes to rest').to.be.lessThan(500);
    one.answer(0, 'written');
  }
};

describe('a held session, for arbitrary inputs', () => {
  it('is charged once for each second, ends once, and leaves nothing pending', () =>
    fc.assert(
      fc.property(price, fc.array(happening, { maxLength: 80 }), (per_minute, history) => {
        const one = process(per_minute);
        for (const happens of history) happens(one);
        drained(one);
        expect(one.session()).to.deep.equal({ _tag: 'Finished' });
        const kinds = one.effects.map(({ type }) => type);
        const last = kinds.slice(kinds.indexOf('ReleaseMedia')).filter((kind) => kind !== 'SendUsage');
        expect(last).to.deep.equal(['ReleaseMedia', 'SendEnd']);
        const stretches = one.events.flatMap(({ type, data }) => (type === 'RealtimeSessionMetered' ? [data] : []));
        stretches.forEach(({ index, from_second, to_second }, place) => {
          expect([index, from_second]).to.deep.equal([place, stretches[place - 1]?.to_second ?? 0]);
          expect(to_second).to.be.greaterThan(from_second);
        });
        const seconds = stretches.at(-1)?.to_second ?? 0;
        const charged = stretches.reduce((sum, { amount }) => add(sum, creditsOf(amount)), zeroCredits);
        if (one.knewMedia()) expect(seconds).to.be.at.most(one.usedSeconds() + 1e-6);
        expect(charged).to.equal(priceOf(credits(per_minute), seconds, 60));
        expect(one.events.filter(({ type }) => type === 'RealtimeSessionEnded').length).to.equal(1);
        one.pass(100_000);
        expect(one.underWay).to.deep.equal([]);
      }),
      { numRuns: shortOrLong(400, 20_000) },
    ));
});
