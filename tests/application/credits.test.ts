import { expect } from 'chai';
import {
  bookCredits,
  holdCredits,
  readCredits,
  setSpendingWindow,
} from '../../application/use-cases/credits/credits.js';
import { world } from '../support/application/world.js';
import { period } from '../support/credit-events.js';
import { chargeRun } from '../support/credit-world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { accountId, at, credits, runId } from '../support/values.js';

const x = accountId('x');

describe('the credits of an account', () => {
  it('show its balance, what its window counts and what is held, at each time', async () => {
    const { store, close } = await openInMemory();
    const place = world(store);
    const { app, request } = place;
    await succeeded(bookCredits(app, request(), x, credits('100'), 'test'));
    const [hold_id, amount] = [runId('r'), credits('4')];
    const hold = {
      hold_id,
      amount,
      max_credits: null,
      lapses_at: at(55),
      run_id: hold_id,
      session_id: null,
      at: at(0),
    };
    await succeeded(holdCredits(app, request(), x, hold));
    for (const [id, charge] of ['1', '2', '0.5', '4'].entries()) {
      await chargeRun(place, 'x', `c${id}`, charge);
      place.pass(10);
    }
    const window = { limit: credits('3'), period_seconds: period(25) };
    await succeeded(setSpendingWindow(app, request(), x, window));
    for (const [seconds, spent, held] of [
      [20, '7.5', '4'],
      [26, '6.5', '4'],
      [36, '4.5', '4'],
      [50, '4', '4'],
      [55, '0', '0'],
    ] as const)
      expect(await succeeded(readCredits(app, x, at(seconds))), `at ${seconds}`).to.deep.equal({
        balance: credits('92.5'),
        held: credits(held),
        window: { limit: '3', period_seconds: 25, spent },
        revision: 6,
      });
    await close();
  });
});
