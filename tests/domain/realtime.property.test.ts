import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { add, creditsOf, creditsText, priceOf, zeroCredits } from '../../domain/kernel/credits.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import type { RealtimeSessionCommand, RealtimeSessionEvent } from '../../domain/realtime-session/contract.js';
import { realtimeSession } from '../../domain/realtime-session/decider.js';
import { credits, at, sessionId } from '../support/values.js';
import { creation, takeSlot } from '../support/realtime-events.js';

const steps = fc.array(
  fc.record({
    after: fc.double({ min: 0, max: 30, noNaN: true }),
    what: fc.constantFrom('meter', 'connected', 'disconnected', 'failed'),
  }),
  { maxLength: 40 },
);

const commandOf = (what: string, seconds: number): RealtimeSessionCommand => {
  if (what === 'connected' || what === 'disconnected' || what === 'failed')
    return { type: 'RecordMedia', state: what, at: at(seconds) };
  return { type: 'MeterSession', at: at(seconds) };
};

const price = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => credits((millionths / 1e6).toFixed(6)));

describe('realtime sessions, for arbitrary commands', () => {
  it('are charged the price of their whole seconds without failed media, each once, however often they are metered', () =>
    fc.assert(
      fc.property(steps, price, fc.boolean(), (history, per_minute, died) => {
        const made: RealtimeSessionEvent[] = [];
        let state = realtimeSession.initial;
        const give = (command: RealtimeSessionCommand): void => {
          const decision = realtimeSession.decide(command, state);
          if (E.isLeft(decision)) throw new Error(decision.left._tag);
          made.push(...decision.right);
          state = decision.right.reduce(realtimeSession.evolve, state);
        };
        give(creation('s', { price: creditsText(per_minute) }));
        let [now, used, usedAtLast] = [0, 0, 0];
        let isUsed = false;
        for (const { after, what } of history) {
          const before = now;
          now = Math.round((now + after) * 1_000) / 1_000;
          if (isUsed) used += now - before;
          if (what === 'connected') isUsed = true;
          if (what === 'failed') isUsed = false;
          if (what === 'meter') usedAtLast = used;
          give(commandOf(what, now));
        }
        give({ type: 'EndSession', reason: 'requested', used_until: died ? null : at(now), at: at(now) });
        const seconds = Math.floor((died ? usedAtLast : used) + 1e-6);
        const amounts = made.flatMap((event) =>
          event.type === 'RealtimeSessionMetered' ? [creditsOf(event.data.amount)] : [],
        );
        expect(amounts.reduce(add, zeroCredits)).to.equal(priceOf(per_minute, seconds, 60));
        expect(state).to.include({ _tag: 'Ended', duration_seconds: seconds });
        const stretches = made.flatMap((event) => (event.type === 'RealtimeSessionMetered' ? [event.data] : []));
        stretches.forEach(({ index, from_second, to_second }, place) => {
          expect(index).to.equal(place);
          expect(from_second).to.equal(stretches[place - 1]?.to_second ?? 0);
          expect(to_second).to.be.greaterThan(from_second);
        });
      }),
    ));

  it('hold as many slots as there are, and as their accounts may have, and no more', () => {
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
