import { join } from 'node:path';
import { expect } from 'chai';
import { type ReadModels, openReadModels } from '../../adapters/read-models/open.js';
import {
  bookCredits,
  holdCredits,
  readCredits,
  setSpendingWindow,
} from '../../application/use-cases/credits/credits.js';
import type { TimeRange } from '../../projections/event-selection.js';
import { type World, world } from '../support/application/world.js';
import { period } from '../support/credit-events.js';
import { chargeRun } from '../support/credit-world.js';
import { credits, accountId, at, runId } from '../support/values.js';
import { openInMemory, failed, succeeded, temporaryFolder, type OpenedStore } from '../support/event-store/stores.js';

type Pages = ReadonlyArray<ReadonlyArray<string | null>>;

const x = accountId('x');
const least = { amount: credits('0.000001'), max_credits: null };

describe('credits: reads and admission', () => {
  let log: OpenedStore;
  let place: World;
  let models: ReadModels;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    [log, folder] = await Promise.all([openInMemory(), temporaryFolder()]);
    place = world(log.store);
    models = openReadModels({ file: join(folder.path, 'rows.db'), store: log.store });
  });
  afterEach(async () => {
    await models.close();
    await log.close();
    await folder.remove();
  });

  const upToDate = async (): Promise<void> => {
    const head = await succeeded(log.store.head());
    if (head !== null) await succeeded(models.queries.reached(head, 5_000));
  };
  const read = (seconds: number) => succeeded(readCredits(place.app, x, at(seconds)));
  const grant = (amount: string) => succeeded(bookCredits(place.app, place.request(), x, credits(amount), 'test'));
  const limit = (amount: string, seconds: number) =>
    succeeded(
      setSpendingWindow(place.app, place.request(), x, { limit: credits(amount), period_seconds: period(seconds) }),
    );
  const charge = (id: string, amount: string) => chargeRun(place, 'x', id, amount);

  const pages = async (limit: number, range: TimeRange = { from: null, to: null }): Promise<Pages> => {
    const after = async (cursor: string | null): Promise<Pages> => {
      const { items, next_cursor } = await succeeded(models.queries.ledger(x, range, { limit, cursor }));
      const page = items.map(({ run_id }) => run_id);
      return next_cursor === null ? [page] : [page, ...(await after(next_cursor))];
    };
    return after(null);
  };

  it('a window shows what was spent in its period, at each time as admission counts it', async () => {
    await grant('100');
    for (const [id, amount] of ['1', '2', '0.5', '4'].entries()) {
      await charge(`c${id}`, amount);
      place.pass(10);
    }
    await limit('3', 25);
    const spent = [
      [20, '7.5'],
      [26, '6.5'],
      [36, '4.5'],
      [50, '4'],
      [55, '0'],
    ] as const;
    for (const [seconds, expected] of spent) {
      const window = { limit: '3', period_seconds: 25, spent: expected };
      expect((await read(seconds)).window, `at ${seconds}`).to.deep.equal(window);
      const admission = place.app.creditAccounts.dryRun(
        'x',
        { type: 'AdmitSpending', ...least, at: at(seconds) },
        null,
      );
      if (seconds === 55) await succeeded(admission);
      else
        expect(await failed(admission)).to.deep.equal({
          _tag: 'WindowUsedUp',
          limit: credits('3'),
          spent: credits(expected),
          amount: least.amount,
          opens_at: at(55),
        });
    }
  });

  it('a ledger is read page by page, newest first, also for a period', async () => {
    await grant('10');
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      place.pass(1);
      await charge(id, '1');
      await chargeRun(place, 'y', `y-${id}`, '1');
    }
    await upToDate();
    expect(await pages(2)).to.deep.equal([
      ['e', 'd'],
      ['c', 'b'],
      ['a', null],
    ]);
    expect(await pages(2, { from: at(2), to: at(5) })).to.deep.equal([['d', 'c'], ['b']]);
    expect(await pages(2, { from: at(9), to: null })).to.deep.equal([[]]);
  });

  it('entries of one moment are each on one page', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `c${index}`);
    await Promise.all(ids.map((id) => charge(id, '1')));
    await upToDate();
    expect((await pages(4)).flat()).to.deep.equal(ids.toReversed());
  });

  it('holds are shown until they expire, also after a restart', async () => {
    await grant('10');
    const { app, request } = place;
    const hold = { run_id: runId('r'), session_id: null, max_credits: null, at: at(0) };
    await succeeded(
      holdCredits(app, request(), x, { hold_id: runId('r'), amount: credits('4'), lapses_at: at(60), ...hold }),
    );
    expect((await read(59)).held).to.equal(credits('4'));
    expect((await read(60)).held).to.equal(credits('0'));
    const restarted = world(log.store, 'restarted');
    expect((await succeeded(restarted.app.creditAccounts.load('x'))).state.holds.length).to.equal(1);
  });
});
