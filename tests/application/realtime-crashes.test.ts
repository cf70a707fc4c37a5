import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as fc from 'fast-check';
import type { EventStore } from '../../application/ports/event-store.js';
import { creditsOf, negate, add, priceOf, zeroCredits, type Credits } from '../../domain/kernel/credits.js';
import { runReactions } from '../support/application/world.js';
import { booksOf } from '../support/credit-world.js';
import { failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { manualTimers } from '../support/realtime/manual-timers.js';
import { type RealtimeProcess, granted, realtimeProcess, recovered, settings } from '../support/realtime/process.js';
import { shortOrLong } from '../support/long-form.js';

const slotsOf = async ({ app }: RealtimeProcess): Promise<ReadonlyArray<string>> =>
  (await succeeded(app.realtimeCapacities.load('all'))).state.map(({ session_id }) => session_id);

const stateOf = async ({ app }: RealtimeProcess, id: string) => (await succeeded(app.realtimeSessions.load(id))).state;

const open = async () => {
  const log = await openInMemory();
  const failing = failingStore(log.store);
  const timers = manualTimers();
  const process = realtimeProcess(failing.store, timers, { max_sessions: 1 });
  await granted(process, '1000');
  return { failing, timers, process, close: log.close };
};

/** Creates, connects, meters once and ends a session, until the process crashes. */
const wholeLife = async (process: RealtimeProcess, pass: (seconds: number) => Promise<void>) => {
  const id = await process.create();
  if (id === null || !(await process.connect(id))) return;
  await pass(12.5);
  await process.end(id);
};

describe('a realtime session whose process crashes', () => {
  it('between any two of its appends is ended at the next start, and its slot is free', async () => {
    const appends = await (async () => {
      const { failing, process, timers, close } = await open();
      failing.recover();
      await wholeLife(process, timers.pass);
      await close();
      return failing.appends();
    })();
    expect(appends).to.be.greaterThan(7);
    for (let dies_after = 0; dies_after < appends; dies_after += 1) {
      const { failing, process, timers, close } = await open();
      failing.failAfter(dies_after);
      await wholeLife(process, timers.pass);
      process.realtime.closing = true;
      timers.die();
      failing.recover();
      const next = realtimeProcess(failing.store, timers, { max_sessions: 1 });
      await recovered(next);
      await runReactions(next.app);
      expect(await slotsOf(next), `after ${dies_after} appends`).to.deep.equal([]);
      const { entries, account } = await booksOf(next.app.store, 'owner');
      expect(account.holds, `after ${dies_after} appends`).to.deep.equal([]);
      const charges = entries.filter(({ kind }) => kind === 'charge');
      const charged = charges.reduce((sum, { amount }) => sum - Number(amount), 0);
      const session = charges[0]?.session_id ?? null;
      if (session !== null) expect(await stateOf(next, session)).to.include({ _tag: 'Ended' });
      expect([0, 0.116667, 0.14]).to.include(Math.round(charged * 1e6) / 1e6);
      expect(await next.create()).to.be.a('string');
      await close();
    }
  });

  it('twice in a row is recovered once', async () => {
    const { failing, process, timers, close } = await open();
    await process.create();
    timers.die();
    for (const lost of [1, 0]) expect(await recovered(realtimeProcess(failing.store, timers))).to.equal(lost);
    await close();
  });
});

describe('a temporary failure of the store', () => {
  it('delays the end of sessions until the store works again', async () => {
    const { failing, process, timers, close } = await open();
    const id = await process.create();
    if (id === null) throw new Error('no session');
    failing.failAfter(0);
    await timers.pass(70);
    expect(await stateOf(process, id)).to.include({ _tag: 'Open' });
    expect(await process.create()).to.equal(null);
    failing.recover();
    await timers.pass(2);
    expect(await stateOf(process, id)).to.include({ _tag: 'Ended', reason: 'idle_timeout' });
    expect(await slotsOf(process)).to.deep.equal([]);
    await close();
  });

  it('during a creation leaves no slot occupied', async () => {
    for (const append of [0, 1, 2]) {
      const { failing, process, timers, close } = await open();
      failing.failOnly(append);
      expect(await process.create()).to.equal(null);
      await timers.pass(2);
      expect(await slotsOf(process)).to.deep.equal([]);
      expect((await booksOf(process.app.store, 'owner')).account.holds).to.deep.equal([]);
      expect(await process.create()).to.be.a('string');
      await close();
    }
  });
});

describe('credit that cannot be read while a session runs', () => {
  it('is read again, and still ends the session when it is used up', async () => {
    const log = await openInMemory();
    let isAway = false;
    const store: EventStore = {
      ...log.store,
      read: (stream, after, limit, maxBytes) =>
        isAway && stream.startsWith('creditAccount-')
          ? TE.left({ _tag: 'StoreUnavailable', reason: 'a test made it fail' })
          : log.store.read(stream, after, limit, maxBytes),
    };
    const timers = manualTimers();
    const process = realtimeProcess(store, timers, { meter_seconds: 3_000 });
    await granted(process, '0.7');
    const id = await process.create();
    if (id === null) throw new Error('no session');
    await process.connect(id);
    isAway = true;
    await timers.pass(61);
    isAway = false;
    await timers.pass(5);
    expect(await stateOf(process, id)).to.include({ _tag: 'Ended', reason: 'insufficient_credits' });
    await log.close();
  });
});

describe('instances that share the capacity', () => {
  it('free the slots of an instance that never returns, once its sessions must have ended', async () => {
    const { failing, process, timers, close } = await open();
    const id = await process.create();
    timers.die();
    const other = realtimeProcess(failing.store, timers, { max_sessions: 1 }, 'there');
    await timers.pass(3_600);
    expect(await other.create()).to.equal(null);
    await timers.pass(301);
    const taken = await other.create();
    expect(await slotsOf(other)).to.deep.equal([taken]);
    expect(await stateOf(other, id ?? '')).to.include({ _tag: 'Ended', reason: 'expired', duration_seconds: 0 });
    await close();
  });
});

const chargesBySession = async ({ app }: RealtimeProcess): Promise<ReadonlyMap<string, Credits>> => {
  const sums = new Map<string, Credits>();
  for (const { kind, session_id, amount } of (await booksOf(app.store, 'owner')).entries)
    if (kind === 'charge' && session_id !== null)
      sums.set(session_id, add(sums.get(session_id) ?? zeroCredits, negate(creditsOf(amount))));
  return sums;
};

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
        expect(await slotsOf(last)).to.deep.equal([]);
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
