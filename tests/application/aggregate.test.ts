import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { type CommandContext, commandContext } from '../../application/commands/context.js';
import type { RenameFaces } from '../../domain/video/contract.js';
import {
  openInMemory,
  openTemporarySqlite,
  failed,
  succeeded,
  failingStore,
  type OpenedStore,
} from '../support/event-store/stores.js';
import {
  analyseFaces,
  completedMedia,
  video,
  videoState,
  type World,
  world,
  heldAppends,
} from '../support/application/world.js';
import { faceId, personName } from '../support/values.js';

const rename = ({ app }: World, name: string): RenameFaces => ({
  type: 'RenameFaces',
  faces: [{ face_id: faceId(1), name: personName(name) }],
  at: app.clock.now(),
});
const context = ({ app, request }: World, parts: Partial<CommandContext> = {}): CommandContext => ({
  ...commandContext(app.ids, request()),
  ...parts,
});

/** A store that records the revisions of its reads. */
const watched = (store: EventStore) => {
  const reads: number[] = [];
  const read: EventStore['read'] = (stream, after, limit) => {
    reads.push(after);
    return store.read(stream, after, limit);
  };
  return { store: { ...store, read }, reads };
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

  it('checks the condition also while other commands are handled', async () => {
    const one = place();
    const id = fresh();
    await completedMedia(one, id);
    const racers = Array.from({ length: 10 }, (_, index) =>
      one.app.videos.handle(id, rename(one, `Name ${index}`), context(one, { if_revision: 2 }))(),
    );
    expect((await Promise.all(racers)).filter(E.isRight)).to.have.length(1);
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

  it('folds a stream of many pages', async () => {
    const one = place();
    const id = fresh();
    await completedMedia(one, id);
    const renames = Array.from({ length: 600 }, (_, index) => rename(one, `Name ${index}`));
    await Promise.all(renames.map((command) => succeeded(one.app.videos.handle(id, command, context(one)))));
    const other = place();
    expect((await videoState(other, id)).faces.get(faceId(1))?.name).to.equal('Name 599');
    expect(await videoState(other, id)).to.deep.equal(await videoState(one, id));
    await analyseFaces(other, id, [[1, 'Eve']]);
    expect((await videoState(one, id)).faces.get(faceId(1))?.name).to.equal('Name 599');
  });
});
