import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { flow } from 'fp-ts/lib/function.js';
import * as fc from 'fast-check';
import { inferNames } from '../../application/name-inference/infer-names.js';
import { registerAudio } from '../../application/use-cases/videos/register.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { type Credits, add, creditsOf, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';
import {
  audio,
  inferenceOfAda,
  recordAdaSpeaking,
  requestForAda,
  type World,
  world,
} from '../support/application/world.js';
import { type Books, booksOf, chargeRun } from '../support/credit-world.js';
import { credits, accountId } from '../support/values.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';

type Operation =
  | { readonly kind: 'book'; readonly amount: string; readonly instance: number }
  | { readonly kind: 'charge'; readonly amount: string; readonly instance: number; readonly id: string };

const places = fc.integer({ min: 0, max: 999_999 }).map((rest) => String(rest).padStart(6, '0'));
const amounts = fc.tuple(fc.integer({ min: 0, max: 1_000 }), places).map(([whole, rest]) => `${whole}.${rest}`);
const instances = fc.constantFrom(0, 1, 2);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    kind: fc.constant('book' as const),
    amount: fc
      .tuple(fc.constantFrom('', '-'), amounts)
      .map((parts) => parts.join(''))
      .filter((text) => credits(text) !== zeroCredits),
    instance: instances,
  }),
  fc.record({
    kind: fc.constant('charge' as const),
    amount: amounts,
    instance: instances,
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  }),
);

const carryOut = async (place: World, operation: Operation): Promise<unknown> =>
  operation.kind === 'charge'
    ? chargeRun(place, 'x', operation.id, operation.amount)
    : succeeded(bookCredits(place.app, place.request(), accountId('x'), credits(operation.amount), 'test'));

const expectToAddUp = ({ account, entries }: Books): Credits => {
  const balance = entries.reduce<Credits>((before, { amount, balance_after }) => {
    const after = add(before, creditsOf(amount));
    expect(balance_after).to.equal(creditsText(after));
    return after;
  }, zeroCredits);
  expect(account.balance).to.equal(balance);
  return balance;
};

const expectEachOnce = ({ entries }: Books, done: ReadonlyArray<Operation>): void => {
  const booked = done.filter(({ kind }) => kind === 'book');
  const charged = new Set(done.flatMap((operation) => (operation.kind === 'charge' ? [operation.id] : [])));
  expect(entries.filter(({ kind }) => kind !== 'charge').length).to.equal(booked.length);
  const runs = entries.flatMap(({ kind, run_id }) => (kind === 'charge' ? [run_id] : []));
  expect(runs).to.have.members([...charged]);
};

describe('credits: the ledger adds up to the balance', () => {
  it('after any operations on three instances, sequential and simultaneous', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(operations, { maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
        const { store, close } = await openInMemory();
        const places = ['one', 'two', 'three'].map((seed) => world(store, seed));
        for (const round of rounds) {
          await Promise.all(
            round.flatMap((operation) => {
              const place = places[operation.instance];
              return place === undefined ? [] : [carryOut(place, operation)];
            }),
          );
          places.forEach(({ pass }, index) => pass(index * 0.5));
        }
        const books = await booksOf(store, 'x');
        const balance = expectToAddUp(books);
        expectEachOnce(books, rounds.flat());
        for (const { app } of places)
          expect((await succeeded(app.creditAccounts.load('x'))).state.balance).to.equal(balance);
        const times = books.entries.map(({ at }) => at);
        expect([...times].sort()).to.deep.equal(times);
        await close();
      }),
      { numRuns: shortOrLong(30, 150) },
    ));

  it('after fifty simultaneous requests with the same charge, on two instances', async () => {
    const { store, close } = await openInMemory();
    const places = [world(store, 'one'), world(store, 'two')];
    const answers = await Promise.all(
      Array.from({ length: 25 }).flatMap(() => places.map((place) => chargeRun(place, 'x', 'run', '0.1'))),
    );
    expect(answers.filter(({ booked }) => booked).length).to.equal(1);
    const books = await booksOf(store, 'x');
    expect(books.entries.map(({ run_id, amount }) => [run_id, amount])).to.deep.equal([['run', '-0.1']]);
    expect(creditsText(expectToAddUp(books))).to.equal('-0.1');
    await close();
  });
});

const tokens = fc.integer({ min: 0, max: 5_000_000 });

describe('credits: what a name inference costs', () => {
  it('is at most what it held, whatever the model reports, and the ledger adds up', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.record({ most: tokens, reported: tokens }), { maxLength: 5 }), async (calls) => {
        const { store, close } = await openInMemory();
        const place = world(store);
        await succeeded(registerAudio(place.app, place.request(), audio('a')));
        await recordAdaSpeaking(place, 'a');
        await succeeded(bookCredits(place.app, place.request(), accountId('owner'), credits('100000'), 'test'));
        const asked = await requestForAda(place, 'a', 'suggest');
        const { inference } = inferenceOfAda();
        const priceOfTokens = (count: number): Credits =>
          add(credits('1'), credits((Math.ceil(count * 10) / 100_000).toFixed(6)));
        for (const { most, reported } of calls) {
          const model = {
            ...inference.model,
            estimate: () => ({ least: 0, most }),
            infer: flow(
              inference.model.infer,
              TE.map((answer) => ({ ...answer, total_tokens: reported })),
            ),
          };
          const price = { base: credits('1'), per_1k_tokens: credits('0.1') };
          await succeeded(inferNames(place.app, { ...inference, model, price }, place.request(), asked));
        }
        const books = await booksOf(store, 'owner');
        expectToAddUp(books);
        expect(books.entries.flatMap(({ kind, amount }) => (kind === 'charge' ? [amount] : []))).to.deep.equal(
          calls.map(({ most, reported }) => creditsText(negate(priceOfTokens(Math.min(most, reported))))),
        );
        expect((await succeeded(place.app.creditAccounts.load('owner'))).state.holds.length).to.equal(0);
        await close();
      }),
      { numRuns: shortOrLong(15, 100) },
    ));
});
