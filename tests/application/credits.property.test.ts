import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { type Credits, add, creditsOf, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';
import { openReadModels } from '../../adapters/read-models/open.js';
import { pagesOf } from '../projections/read-models-world.js';
import { commandContext } from '../../application/commands/context.js';
import { sumUsage, usageFields } from '../../projections/credit-views.js';
import { type World, world, owner } from '../support/application/world.js';
import { type Books, booksOf, chargeRun } from '../support/credit-world.js';
import { credits, accountId, at, keyId, runId, sessionId } from '../support/values.js';
import { openInMemory, succeeded, temporaryFolder } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';
import { chargeId } from '../support/credit-events.js';
import { creation } from '../support/realtime-events.js';

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
});

const x = accountId('x');
const hour = 3_600;

const charges = fc.array(
  fc.record({
    after: fc.constantFrom(0, 1, 1_799, hour, 20 * hour),
    key: fc.constantFrom('k1', 'k2'),
    what: fc.constantFrom('run', 's1', 's2', 'grant'),
    amount: fc.integer({ min: 1, max: 9_999_999 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  }),
  { minLength: 1, maxLength: 15 },
);
const time = fc.option(
  fc.integer({ min: 0, max: 300 }).map((half) => half * 1_800),
  { nil: null },
);

describe('usage', () => {
  it('is the sum of the ledger entries, which are read page by page, for any period and grouping; sessions count for the key that created them', () =>
    fc.assert(
      fc.asyncProperty(charges, time, time, fc.subarray([...usageFields]), async (history, one, other, fields) => {
        const [log, folder] = [await openInMemory(), await temporaryFolder()];
        const place = world(log.store);
        const { app } = place;
        const as = (key: string) => place.request({ caller: { ...owner, account_id: x, key_id: keyId(key) } });
        for (const [session, key] of [
          ['s1', 'k1'],
          ['s2', 'k2'],
        ] as const)
          await succeeded(app.realtimeSessions.handle(session, creation(session), commandContext(app.ids, as(key))));
        for (const [index, { after, key, what, amount }] of history.entries()) {
          place.pass(after);
          await chargeRun(place, 'y', `y${index}`, '1');
          const context = as(key);
          const due = { charge_id: chargeId(`c${index}`), amount: credits(amount), reason: 'test', audio_id: null };
          const type = 'ChargeCredits' as const;
          const about =
            what === 'run'
              ? { run_id: runId(`c${index}`), session_id: null }
              : { run_id: null, session_id: sessionId(what) };
          await succeeded<unknown>(
            what === 'grant'
              ? bookCredits(app, context, x, credits(amount), 'test')
              : app.perform(context, 'creditAccounts', x, { type, ...due, ...about, at: context.at }),
          );
        }
        const models = openReadModels({ file: join(folder.path, 'rows.db'), store: log.store });
        const head = await succeeded(log.store.head());
        if (head !== null) await succeeded(models.queries.reached(head, 5_000));
        const [from, to] = [one, other]
          .toSorted((a, b) => (a ?? -1) - (b ?? 1e9))
          .map((s) => (s === null ? null : at(s)));
        const range = { from: from ?? null, to: to ?? null };
        const { groups, total } = sumUsage(await succeeded(models.queries.usage(x, range)), new Set(fields));
        const entries = (await booksOf(log.store, 'x', ['s1', 's2'])).entries.filter(
          ({ at: time }) => time >= (range.from ?? '') && time < (range.to ?? '~'),
        );
        const shown: string[] = [];
        for await (const page of pagesOf((cursor) => models.queries.ledger(x, range, { limit: 2, cursor })))
          shown.push(...page.map(({ entry_id }) => entry_id));
        expect(shown.toReversed()).to.deep.equal(entries.map(({ entry_id }) => entry_id));
        const meant = entries.filter(({ kind }) => kind === 'charge');
        const sumOf = (entries: ReadonlyArray<(typeof meant)[number]>) =>
          entries.map(({ amount }) => negate(creditsOf(amount))).reduce(add, zeroCredits);
        expect(total).to.deep.equal({ charges: meant.length, amount: sumOf(meant) });
        const byFields = groupBy((entry: (typeof meant)[number]) =>
          [
            ...(fields.includes('day') ? [entry.at.slice(0, 10)] : []),
            ...(fields.includes('month') ? [entry.at.slice(0, 7)] : []),
            ...(fields.includes('category') ? [entry.category] : []),
            ...(fields.includes('key') ? [entry.key_id] : []),
          ].join(' '),
        )(meant);
        const expected = Object.entries(byFields).toSorted(([a], [b]) => (a < b ? -1 : 1));
        const actual = groups.map(({ charges: count, amount, ...group }) => [
          Object.values(group).join(' '),
          count,
          amount,
        ]);
        expect(actual).to.deep.equal(
          fields.length === 0 ? [] : expected.map(([name, of]) => [name, of.length, sumOf(of)]),
        );
        await models.close();
        await log.close();
        await folder.remove();
      }),
      { numRuns: shortOrLong(15, 60) },
    ));
});
