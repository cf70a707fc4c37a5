import { expect } from 'chai';
import * as fc from 'fast-check';
import { creditsOf, negate, add, priceOf, zeroCredits, type Credits } from '../../domain/kernel/credits.js';
import { runReactions } from '../support/application/world.js';
import { booksOf } from '../support/credit-world.js';
import { failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { manualTimers } from '../support/realtime/manual-timers.js';
import { type RealtimeProcess, granted, realtimeProcess, recovered, settings } from '../support/realtime/process.js';
import { shortOrLong } from '../support/long-form.js';

const chargesBySession = async ({ app }: RealtimeProcess): Promise<ReadonlyMap<string, Credits>> => {
  const sums = new Map<string, Credits>();
  for (const { kind, session_id, amount } of (await booksOf(app.store, 'owner')).entries)
    if (kind === 'charge' && session_id !== null)
      sums.set(session_id, add(sums.get(session_id) ?? zeroCredits, negate(creditsOf(amount))));
  return sums;
};

const slotsTaken = async ({ app }: RealtimeProcess): Promise<number> =>
  (await succeeded(app.realtimeCapacities.load('all'))).state.length;

/** The requests to a session, and its observable state. */
interface Watched {
  readonly connected_at: number;
  over_at: number;
  killed: boolean;
}

const round = fc.record({
  sessions: fc.integer({ min: 0, max: 4 }),
  waits: fc.array(fc.double({ min: 0, max: 25, noNaN: true }), { minLength: 1, maxLength: 4 }),
  ends: fc.boolean(),
  /** Number of appends before the process is killed; none: it is killed between two of them. */
  dies_after: fc.option(fc.nat(12), { nil: null }),
  downtime: fc.integer({ min: 0, max: 60 }),
});

describe('charges of realtime sessions, whenever the process is killed', function () {
  this.timeout(120_000);

  it('cover the connected seconds, at most one interval less because of the kill, and never more', () =>
    fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const log = await openInMemory();
        const failing = failingStore(log.store);
        const timers = manualTimers();
        const watched = new Map<string, Watched>();
        const first = realtimeProcess(failing.store, timers);
        await granted(first, '1000');
        for (const { sessions, waits, ends, dies_after, downtime } of rounds) {
          const process = realtimeProcess(failing.store, timers);
          await recovered(process);
          for (let index = 0; index < sessions; index += 1) {
            const id = await process.create();
            if (id === null) throw new Error('no session');
            await process.connect(id);
            watched.set(id, { connected_at: timers.seconds(), over_at: timers.seconds(), killed: true });
          }
          let died: number | null = null;
          if (dies_after !== null)
            failing.failAfter(dies_after, () => {
              died = timers.seconds();
            });
          for (const seconds of waits) await timers.pass(seconds);
          for (const { session_id } of process.realtime.live.values()) {
            const one = watched.get(session_id);
            if (one === undefined) continue;
            one.killed = !(ends && (await process.end(session_id)));
            one.over_at = died ?? timers.seconds();
          }
          process.realtime.closing = true;
          timers.die();
          await timers.pass(downtime);
          failing.recover();
        }
        const last = realtimeProcess(failing.store, timers);
        await recovered(last);
        await runReactions(last.app);
        expect(await slotsTaken(last)).to.equal(0);
        const charges = await chargesBySession(last);
        for (const [id, { connected_at, over_at, killed }] of watched) {
          const seconds = Math.floor(over_at - connected_at + 1e-9);
          const least = killed ? Math.max(0, seconds - settings.meter_seconds) : seconds;
          const charged = charges.get(id) ?? zeroCredits;
          const facts = `${id}: ${charged} for ${seconds} s`;
          expect(charged <= priceOf(settings.price_per_minute, seconds, 60), facts).to.equal(true);
          expect(charged >= priceOf(settings.price_per_minute, least, 60), facts).to.equal(true);
        }
        await log.close();
      }),
      { numRuns: shortOrLong(12, 60) },
    ));
});
