import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { aggregates } from '../../application/application.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import { reactionsOfProcess } from '../../application/reactions/run.js';
import { readEvent } from '../../application/commands/read-event.js';
import { commandContext } from '../../application/commands/context.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { otherInstance, world } from '../support/application/world.js';
import { credits, accountId, at } from '../support/values.js';
import { charged } from '../support/credit-events.js';
import { newEvent, openInMemory, succeeded } from '../support/event-store/stores.js';
import { creation } from '../support/realtime-events.js';
import { shortOrLong } from '../support/long-form.js';

const stream = 'creditAccount-owner';
const metadata = {
  actor: { key_id: 'key', account_id: 'owner' },
  correlation_id: 'request',
  causation_id: 'command',
  schema_version: 1,
  recorded_at: at(0),
};

/** Appends `count` charges to the account's stream, whose last event has the revision `last`. */
const charge = async (store: EventStore, last: number, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 500) {
    const some = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const { type, data } = charged(`other-${last}-${from + index}`, '0.5', '1', from + index);
      return newEvent({ id: randomUUID(), type: `${type}.v1`, data, metadata });
    });
    const before = last + from;
    await succeeded(store.append(stream, before < 0 ? 'no_stream' : before, some));
  }
};

/** A store that counts the events that are read from streams. */
const countingReads = (store: EventStore): { readonly store: EventStore; readonly events: () => number } => {
  let events = 0;
  const read: EventStore['read'] =
    (...args) =>
    async () => {
      const page = await store.read(...args)();
      if (page._tag === 'Right') events += page.right.length;
      return page;
    };
  return { store: { ...store, read }, events: () => events };
};

const Stored = t.type({ version: t.number, revision: t.number, event_id: t.string, state: t.unknown });

/** Stores the newest snapshot of each stream as JSON, like a file. */
const inMemory = (): Snapshots & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>();
  return {
    kept,
    load: (name) => async () => {
      const stored = Stored.decode(JSON.parse(kept.get(name) ?? 'null'));
      return stored._tag === 'Right' ? { ...stored.right, state: stored.right.state } : null;
    },
    save: (name, snapshot) => void kept.set(name, JSON.stringify(snapshot)),
  };
};

describe('a very long stream', () => {
  /** The account read without a cache, and the number of events read. */
  const read = async (store: EventStore, snapshots?: Snapshots) => {
    const counted = countingReads(store);
    const { creditAccounts } = aggregates(counted.store, undefined, snapshots);
    const { state, revision } = await succeeded(creditAccounts.load('owner'));
    return { revision, events: counted.events(), state: creditAccount.snapshot?.codec.encode(state) };
  };

  it('is folded from a snapshot, to the same state', async () => {
    const { store, close } = await openInMemory();
    const snapshots = inMemory();
    const length = shortOrLong(3_300, 12_300);
    await charge(store, -1, length);
    const whole = await read(store);
    expect(await read(store, snapshots)).to.deep.equal(whole);
    expect(whole.events).to.equal(length);
    await charge(store, length - 1, 30);
    const { events, ...from } = await read(store, snapshots);
    expect(events).to.equal(31);
    const { state, revision } = await read(store);
    expect(from).to.deep.equal({ state, revision });
    await close();
  });

  it('gets its snapshots from commands, too', async () => {
    const { store, close } = await openInMemory();
    const snapshots = inMemory();
    await charge(store, -1, 999);
    const place = world(store);
    const { creditAccounts } = aggregates(store, undefined, snapshots);
    await succeeded(creditAccounts.load('owner'));
    expect(snapshots.kept.size).to.equal(0);
    const grant = { type: 'GrantCredits' as const, amount: credits('1'), reason: 'more', at: at(1) };
    const context = commandContext(place.app.ids, place.request());
    await succeeded(creditAccounts.handle(accountId('owner'), grant, context));
    expect(snapshots.kept.get(stream)).to.include('"revision":999');
    await close();
  });

  it('is folded from its first event if the snapshot is damaged, or of another version or log', async () => {
    const { store, close } = await openInMemory();
    await charge(store, -1, 1_500);
    const snapshots = inMemory();
    const whole = await read(store, snapshots);
    const snapshot = await snapshots.load(stream)();
    for (const change of [{ version: 0 }, { event_id: randomUUID() }, { revision: 7 }, { state: { balance: 'x' } }]) {
      snapshots.kept.set(stream, JSON.stringify({ ...snapshot, ...change }));
      const { state, revision } = await read(store, snapshots);
      expect({ state, revision }, JSON.stringify(change)).to.deep.equal({
        state: whole.state,
        revision: whole.revision,
      });
    }
    await close();
  });

  it('contains a charge once, also one so old that its id is no longer in the state', async () => {
    const { store, close } = await openInMemory();
    const { app, request, pass, now } = world(store);
    await succeeded(app.perform(request(), 'realtimeSessions', 's', creation('s')));
    await succeeded(
      app.perform(request(), 'realtimeSessions', 's', { type: 'RecordMedia', state: 'connected', at: at(0) }),
    );
    pass(60);
    await succeeded(app.perform(request(), 'realtimeSessions', 's', { type: 'MeterSession', at: at(now()) }));
    const [booked] = await succeeded(store.read(stream, -1, 10));
    expect(booked?.type).to.equal('CreditsCharged.v1');
    await charge(store, 0, 12_000);
    const metered = (await succeeded(store.read('realtimeSession-s', -1, 10))).at(-1);
    if (metered === undefined) throw new Error('nothing was metered');
    const appended: string[] = [];
    // Not every store refuses a known id, so nothing may be appended at all.
    const watched: EventStore = {
      ...store,
      append: (name, ...rest) => {
        appended.push(name);
        return store.append(name, ...rest);
      },
    };
    for (const snapshots of [undefined, inMemory()]) {
      const later = { ...otherInstance(app), ...aggregates(watched, undefined, snapshots) };
      await succeeded(reactionsOfProcess(later)(await succeeded(TE.fromEither(readEvent(metered)))));
      const { revision } = await succeeded(later.creditAccounts.load('owner'));
      expect([revision, appended]).to.deep.equal([12_000, []]);
    }
    await close();
  }).timeout(20_000);
});
