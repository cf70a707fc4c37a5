import { setTimeout } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { EventStore } from '../../application/ports/event-store.js';
import { type CommandContext, commandContext } from '../../application/commands/context.js';
import type { RenameFaces } from '../../domain/video/contract.js';
import { aggregates } from '../../application/application.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import { reactionsOfProcess } from '../../application/reactions/run.js';
import { readEvent } from '../../application/commands/read-event.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import {
  openInMemory,
  openTemporarySqlite,
  failed,
  succeeded,
  failingStore,
  type OpenedStore,
  newEvent,
} from '../support/event-store/stores.js';
import {
  completedMedia,
  video,
  videoState,
  type World,
  world,
  heldAppends,
  otherInstance,
} from '../support/application/world.js';
import { faceId, personName, credits, accountId, at } from '../support/values.js';
import { charged } from '../support/credit-events.js';
import { creation } from '../support/realtime-events.js';
import { shortOrLong } from '../support/long-form.js';

const rename = ({ app }: World, name: string): RenameFaces => ({
  type: 'RenameFaces',
  faces: [{ face_id: faceId(1), name: personName(name) }],
  at: app.clock.now(),
});
const context = ({ app, request }: World, parts: Partial<CommandContext> = {}): CommandContext => ({
  ...commandContext(app.ids, request()),
  ...parts,
});

/** A store that notes after which revisions it reads, what it reads, and the streams that it appends to. */
const watched = (store: EventStore) => {
  const reads: number[] = [];
  const events: string[] = [];
  const appended: string[] = [];
  const read: EventStore['read'] = (stream, after, limit) => {
    reads.push(after);
    return pipe(
      store.read(stream, after, limit),
      TE.chainFirstIOK((page) => () => void events.push(...page.map(({ type }) => type))),
    );
  };
  const append: EventStore['append'] = (stream, ...rest) => {
    appended.push(stream);
    return store.append(stream, ...rest);
  };
  return { store: { ...store, read, append }, reads, events, appended };
};

describe('handling commands', () => {
  let opened: OpenedStore;
  let accepting: OpenedStore;
  let videos = 0;
  before(async () => {
    [opened, accepting] = await Promise.all([openTemporarySqlite(), openInMemory()]);
  });
  after(() => Promise.all([opened.close(), accepting.close()]));
  const fresh = (): string => `v${(videos += 1)}`;
  const place = (store: EventStore = opened.store): World => world(store, `handle ${(videos += 1)}`);

  it('does not read events again that it has folded or written', async () => {
    const { store, reads } = watched(opened.store);
    const one = place(store);
    const id = fresh();
    await completedMedia(one, id);
    reads.length = 0;
    await succeeded(one.app.videos.handle(id, rename(one, 'Ann'), context(one)));
    await succeeded(one.app.videos.handle(id, rename(one, 'Bob'), context(one)));
    expect(reads).to.deep.equal([]);
    await succeeded(one.app.videos.load(id));
    expect(reads).to.deep.equal([4]);
  });

  it('confirms by one read that a command changes nothing, and decides again on what another instance wrote', async () => {
    const { store, reads } = watched(opened.store);
    const [one, other] = [place(store), place()];
    const id = fresh();
    await completedMedia(one, id);
    const ann = () => one.app.videos.handle(id, rename(one, 'Ann'), context(one));
    await succeeded(ann());
    reads.length = 0;
    expect((await succeeded(ann())).recorded).to.deep.equal([]);
    expect(reads).to.deep.equal([3]);
    await succeeded(other.app.videos.handle(id, rename(other, 'Bob'), context(other)));
    expect((await succeeded(ann())).recorded[0]?.revision).to.equal(5);
  });

  it('handles the commands of a stream one after the other, each on what is durable', async () => {
    const { store, release } = heldAppends(opened.store);
    const one = place(store);
    const id = fresh();
    await completedMedia(place(), id);
    const answered: string[] = [];
    const give = (name: string, as: string): Promise<unknown> =>
      one.app.videos
        .handle(id, rename(one, name), context(one))()
        .then(() => answered.push(as));
    const all = [give('Ann', 'first'), give('Bob', 'second'), give('Bob', 'the same again')];
    await setTimeout(20);
    expect(answered).to.deep.equal([]);
    expect(release()).to.equal(1);
    await Promise.all(all);
    expect(answered).to.deep.equal(['first', 'second', 'the same again']);
    expect((await videoState(one, id)).faces.get(faceId(1))?.name).to.equal('Bob');
  });

  it('decides again on a conflict, when its read was outdated at the append', async () => {
    const id = fresh();
    const one = place();
    await completedMedia(one, id);
    let overtaken = false;
    const slow: EventStore = {
      ...opened.store,
      append: (stream, expected, events) => async () => {
        if (!overtaken && stream === `video-${id}`) {
          overtaken = true;
          await succeeded(one.app.videos.handle(id, rename(one, 'Ann'), context(one)));
        }
        return opened.store.append(stream, expected, events)();
      },
    };
    const other = place(slow);
    const { recorded, revision } = await succeeded(other.app.videos.handle(id, rename(other, 'Ann'), context(other)));
    expect([recorded, revision]).to.deep.equal([[], 3]);
  });

  it('handles 50 simultaneous commands on one growing stream, and as many on another instance', async () => {
    const [one, other] = [place(), place()];
    const id = fresh();
    await completedMedia(one, id);
    const names = Array.from({ length: 50 }, (_, index) => `Name ${index}`);
    const outcomes = await Promise.all(
      names.flatMap((name) => [
        one.app.videos.handle(id, rename(one, name), context(one))(),
        other.app.videos.handle(id, rename(other, `${name} too`), context(other))(),
      ]),
    );
    expect(outcomes.filter(E.isLeft)).to.deep.equal([]);
    const events = await succeeded(opened.store.read(`video-${id}`, 2, 1_000));
    expect(events.map(({ revision }) => revision)).to.deep.equal(Array.from({ length: 100 }, (_, index) => index + 3));
    const folded = await videoState(place(), id);
    expect(await videoState(one, id)).to.deep.equal(folded);
    expect(await videoState(other, id)).to.deep.equal(folded);
  });

  const engines = { SQLite: () => opened, 'a store that takes ids again': () => accepting };
  Object.entries(engines).forEach(([engine, log]) =>
    [1, 40].forEach((between) =>
      it(`writes the event of a reaction once, also after ${between} others and on another instance, on ${engine}`, async () => {
        const [one, other] = [place(log().store), place(log().store)];
        const id = fresh();
        await completedMedia(one, id);
        const since = await succeeded(log().store.head());
        const event_id = (index: number): string => one.app.ids.derived(id, `again/${index}`);
        const derived = context(one, { event_id, since });
        const first = await succeeded(one.app.videos.handle(id, rename(one, 'Ann'), derived));
        expect(first.recorded).to.have.length(1);
        for (let turn = 0; turn < between; turn += 1)
          await succeeded(one.app.videos.handle(id, rename(one, `Bob ${turn}`), context(one)));
        for (const { app } of [one, other]) {
          const again = await succeeded(app.videos.handle(id, rename(one, 'Ann'), derived));
          const ids = again.recorded.map((recorded) => recorded.event_id);
          expect([ids, again.revision]).to.deep.equal([[event_id(0)], 3 + between]);
        }
        expect((await videoState(other, id)).faces.get(faceId(1))?.name).to.equal(`Bob ${between - 1}`);
      }),
    ),
  );

  it('refuses a command on the condition of another revision', async () => {
    const one = place();
    const id = fresh();
    await completedMedia(one, id);
    const at = (if_revision: number) => one.app.videos.handle(id, rename(one, 'Ann'), context(one, { if_revision }));
    expect(await failed(at(1))).to.deep.equal({ _tag: 'RevisionChanged', expected: 1, actual: 2 });
    expect(await failed(at(3))).to.deep.equal({ _tag: 'RevisionChanged', expected: 3, actual: 2 });
    expect((await succeeded(at(2))).revision).to.equal(3);
  });

  it('returns the failure of the store, and continues from the stored events', async () => {
    const failing = failingStore(opened.store);
    const one = place(failing.store);
    const id = fresh();
    await completedMedia(one, id);
    failing.failOnly(0);
    const outcome = one.app.videos.handle(id, rename(one, 'Ann'), context(one));
    expect(await failed(outcome)).to.include({ _tag: 'StoreUnavailable' });
    const { revision } = await succeeded(one.app.videos.handle(id, rename(one, 'Ann'), context(one)));
    expect(revision).to.equal(3);
  });

  it('stops at an event that does not belong to the stream, and says where', async () => {
    const one = place();
    const id = fresh();
    await succeeded(one.app.videos.handle(id, video(id), context(one)));
    const metadata = { actor: { key_id: 'k', account_id: 'a' }, correlation_id: '', causation_id: '' };
    await succeeded(
      opened.store.append(`video-${id}`, 0, [
        {
          id: one.app.ids.random(),
          type: 'SpeakerRolesSet.v1',
          data: { speakers: [] },
          metadata: { ...metadata, schema_version: 1, recorded_at: one.app.clock.now() },
        },
      ]),
    );
    const failure = await failed(one.app.videos.load(id));
    expect(failure).to.deep.include({ _tag: 'UnreadableEvent', stream: `video-${id}`, revision: 1 });
  });
});

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
    const counted = watched(store);
    const { creditAccounts } = aggregates(counted.store, undefined, snapshots);
    const { state, revision } = await succeeded(creditAccounts.load('owner'));
    return { revision, events: counted.events.length, state: creditAccount.snapshot?.codec.encode(state) };
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
    // Not every store refuses a known id, so nothing may be appended at all.
    const { store: noted, appended } = watched(store);
    for (const snapshots of [undefined, inMemory()]) {
      const later = { ...otherInstance(app), ...aggregates(noted, undefined, snapshots) };
      await succeeded(reactionsOfProcess(later)(await succeeded(TE.fromEither(readEvent(metered)))));
      const { revision } = await succeeded(later.creditAccounts.load('owner'));
      expect([revision, appended]).to.deep.equal([12_000, []]);
    }
    await close();
  }).timeout(20_000);
});
