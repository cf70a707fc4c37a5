import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { type CreditAccountCommand, creditAccountEvents } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { CreditAccountState } from '../../domain/credit-account/state.js';
import { subjectsOf } from '../../domain/event-catalogue.js';
import {
  admit,
  charge,
  charged,
  clearWindow,
  correct,
  grant,
  hold,
  release,
  setWindow,
} from '../support/credit-events.js';
import { shortOrLong } from '../support/long-form.js';

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
      fc.property(fc.constantFrom(...pasts), fc.array(command, { maxLength: 30 }), fc.nat(29), (past, commands, at) => {
        let [plain, other] = [past, past];
        const booked: string[] = [];
        commands.forEach((given, index) => {
          if (index === at) other = restored(other);
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
      }),
      { numRuns: shortOrLong(60, 400) },
    )).timeout(60_000);

  it('contain no personal data', () =>
    expect(
      Object.keys(creditAccountEvents).flatMap((type) => subjectsOf(type, 'creditAccount-x', ['audio-a'])),
    ).to.deep.equal([]));
});
