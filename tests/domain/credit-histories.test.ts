import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import {
  type CreditAccountCommand,
  type CreditAccountEvent,
  creditAccountEvents,
} from '../../domain/credit-account/contract.js';
import { spentWithin, type CreditAccountState } from '../../domain/credit-account/state.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { type Credits, add, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';
import { subjectsOf } from '../../domain/event-catalogue.js';
import {
  admit,
  charge,
  charged,
  correct,
  grant,
  hold,
  release,
  setWindow,
  clearWindow,
} from '../support/credit-events.js';
import { credits, at } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

interface Step {
  readonly what: 'hold' | 'charge' | 'release' | 'grant' | 'correct' | 'wait' | 'window';
  readonly amount: number;
}

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...(['hold', 'hold', 'hold', 'charge', 'charge', 'release', 'grant', 'correct', 'wait', 'window'] as const),
    ),
    amount: fc.integer({ min: 1, max: 5_000_000 }),
  }),
  { maxLength: 80 },
);

const period_seconds = 20;
const day = 86_400;

describe('holds, for arbitrary commands', () => {
  it('limit the overdraft to the cost of one call, except for corrections, and spending to the window', () =>
    fc.assert(
      fc.property(steps, (history) => {
        let state = creditAccount.initial;
        let [seconds, corrected_by, largest, most] = [0, zeroCredits, zeroCredits, zeroCredits];
        const open = new Map<string, Credits>();
        const give = (command: CreditAccountCommand): boolean => {
          const decision = creditAccount.decide(command, state);
          if (E.isLeft(decision)) return false;
          state = decision.right.reduce(creditAccount.evolve, state);
          return true;
        };
        const admitted = (id: string, amount: string): void => {
          if (!give(hold(id, amount, 1e6, seconds))) return;
          open.set(id, credits(amount));
          if (credits(amount) > largest) largest = credits(amount);
        };
        const ended = (by: 'charge' | 'release'): void => {
          const [running] = open;
          if (running === undefined) return;
          const [id, amount] = running;
          give(by === 'charge' ? { ...charge(id, '0', seconds), amount } : release(id, seconds));
          open.delete(id);
        };
        /** The limit is only raised: what was admitted under a higher one may exceed a lower one. */
        const raised = (by: Credits): void => {
          most = add(most, by);
          give(setWindow(creditsText(most), period_seconds, seconds));
        };
        give(setWindow('0', period_seconds));
        history.forEach(({ what, amount: millionths }, step) => {
          const amount = (millionths / 1e6).toFixed(6);
          if (what === 'grant') give(grant(amount, seconds));
          if (what === 'correct' && give(correct(`-${amount}`, seconds)))
            corrected_by = add(corrected_by, credits(amount));
          if (what === 'wait') seconds += 1;
          if (what === 'window') raised(credits(amount));
          if (what === 'hold') admitted(`call-${step}`, amount);
          if (what === 'charge' || what === 'release') ended(what);
          expect(add(state.balance, corrected_by) >= negate(largest)).to.equal(true);
          expect(spentWithin(state.recent, period_seconds, at(seconds)) <= most).to.equal(true);
          expect(state.holds.map(({ amount: one }) => one)).to.have.members([...open.values()]);
        });
      }),
    ));
});

const { snapshot } = creditAccount;
if (snapshot === undefined) throw new Error('an account has no snapshots');
const { codec } = snapshot;

/** A state restored from a file. */
const restored = (state: CreditAccountState): CreditAccountState => {
  const back = codec.decode(JSON.parse(JSON.stringify(codec.encode(state))));
  if (E.isLeft(back)) throw new Error('a snapshot cannot be read');
  return back.right;
};

/** Accounts with histories: where ids and charges just begin to be dropped, and far beyond. */
const pasts = [0, 4_998, 12_300].map((count) =>
  Array.from({ length: count }, (_, index) => charged(`c${index}`, '0.5', '1', index * 60)).reduce(
    creditAccount.evolve,
    creditAccount.initial,
  ),
);

const id = fc.constantFrom('x', 'y', 'z', 'c0', 'c4997', 'c12299');
const amount = fc.constantFrom('0', '0.5', '3', '20');
const second = fc.integer({ min: 0, max: 900_000 });
const command: fc.Arbitrary<CreditAccountCommand> = fc.oneof(
  fc.tuple(id, amount, second).map((given) => charge(...given)),
  fc.tuple(amount, second).map((given) => grant(...given)),
  fc.tuple(amount, second).map((given) => correct(...given)),
  fc.tuple(amount, fc.constantFrom(60, 86_400), second).map((given) => setWindow(...given)),
  second.map(clearWindow),
  second.map(admit),
  fc.tuple(id, amount, second, second).map((given) => hold(...given)),
  fc.tuple(id, second).map((given) => release(...given)),
);

describe('credit account: snapshots', () => {
  it('continue like the original account, wherever they are taken', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...pasts),
        fc.array(command, { maxLength: 30 }),
        fc.nat(29),
        (past, commands, place) => {
          let [plain, other] = [past, past];
          const booked: string[] = [];
          commands.forEach((given, index) => {
            if (index === place) other = restored(other);
            const decision = creditAccount.decide(given, plain);
            expect(creditAccount.decide(given, other)).to.deep.equal(decision);
            if (E.isLeft(decision)) return;
            decision.right.forEach(({ type, data }) => {
              if (type === 'CreditsCharged') booked.push(data.charge_id);
            });
            plain = decision.right.reduce(creditAccount.evolve, plain);
            other = decision.right.reduce(creditAccount.evolve, other);
          });
          expect(codec.encode(other)).to.deep.equal(codec.encode(plain));
          expect(new Set(booked).size).to.equal(booked.length);
        },
      ),
      { numRuns: shortOrLong(60, 400) },
    )).timeout(60_000);

  it('contain no personal data', () =>
    expect(
      Object.keys(creditAccountEvents).flatMap((type) => subjectsOf(type, 'creditAccount-x', ['audio-a'])),
    ).to.deep.equal([]));
});

describe('credit account: long histories', () => {
  const account = (events: ReadonlyArray<CreditAccountEvent>) =>
    events.reduce(creditAccount.evolve, creditAccount.initial);
  const life = (count: number) => Array.from({ length: count }, (_, index) => charged(`c${index}`, '0.5', '1', index));

  it('drops charges that no window can count', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => charged(`c${index}`, '1', '1', index * day));
    const { before, list } = account(events).recent;
    expect([before, list[0]?.total, list.length]).to.deep.equal([credits('9634'), credits('9635'), 366]);
  });

  it('uses no more memory for a year of charges than for a day, and is at most half a percent late', () => {
    const seconds = Array.from({ length: 40_000 }, (_, index) => Math.floor((index / 40_000) ** 0.5 * 300 * day));
    const events = seconds.map((second, index) => charged(`c${index}`, '1', '1', second));
    const { charged: ids, recent } = account(events);
    expect(recent.list.length).to.be.lessThan(10_001);
    expect(ids.length).to.be.lessThan(10_001);
    const now = at(300 * day);
    const exact = (period: number): bigint =>
      BigInt(seconds.filter((second) => second > 300 * day - period).length) * credits('1');
    for (const period of [60, 3_600, day, 7 * day, 30 * day, 200 * day]) {
      const spent = spentWithin(recent, period, now);
      expect(spent >= exact(period), `${period} s`).to.equal(true);
      expect(spent <= exact(period * 1.006), `${period} s`).to.equal(true);
    }
    expect(recent.list.at(-1)?.total).to.equal(credits('40000'));
  });

  it('recognises at least the five thousand newest charges by id', () => {
    const state = account(life(12_000));
    const booked = (id: string): boolean => {
      const decision = creditAccount.decide(charge(id, '1'), state);
      return decision._tag === 'Right' && decision.right.length === 0;
    };
    expect([booked('c11999'), booked('c7000'), booked('c0')]).to.deep.equal([true, true, false]);
  });
});
