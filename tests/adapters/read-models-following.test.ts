import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../application/ports/event-store.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { type World, delivering, openWorld, registered, toNew } from '../projections/read-models-world.js';
import { change, committed, runReverted } from '../support/video-events.js';
import { at, made, speakerId } from '../support/values.js';
import { failed, succeeded, until } from '../support/event-store/stores.js';

const down: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'down' };

describe('read models: following the log', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.end());

  const isShown = async (video_id: string, { queries } = world.open()): Promise<boolean> =>
    (await succeeded(queries.video(made(VideoId, video_id)))) !== null;

  it('reaches the positions of events that no projection reads', async () => {
    const readModels = world.open();
    const position = await world.append('faceTracks-v1', toNew('SomethingElse.v1', {}));
    await succeeded(readModels.queries.reached(position, 5_000));
    expect(readModels.status()).to.deep.include({ position, failure: null });
  });

  it('answers at once for a position it has reached, and after the timeout for one it has not', async () => {
    const readModels = world.open();
    const position = await world.append('video-v1', registered('v1'));
    await succeeded(readModels.queries.reached(position, 5_000));
    await succeeded(readModels.queries.reached(position, 0));
    const wanted = `${position}9`;
    const start = performance.now();
    expect(await failed(readModels.queries.reached(wanted, 50))).to.deep.equal({
      _tag: 'ReadModelBehind',
      wanted,
      reached: position,
    });
    expect(performance.now() - start).to.be.within(45, 2_000);
  });

  it('marks a late write as reverted when both events are in one page', async () => {
    const late = committed('r', 100, { late: true, changes: [change(1, {}, { speaker_id: speakerId(2) })] });
    await world.append('video-v1', ...[late, runReverted(200, [])].map(({ type, data }) => toNew(`${type}.v1`, data)));
    const readModels = world.open();
    await world.caughtUp(readModels);
    const { items } = await succeeded(readModels.queries.lateWrites({ limit: 9, cursor: null }));
    expect(items.map(({ reverted_at }) => reverted_at)).to.deep.equal([at(200)]);
  });

  it('subscribes again after a failure, and logs each loss and recovery once', async () => {
    let losses = 0;
    let lose: (failure: unknown) => void = constVoid;
    const store: EventStore = {
      ...world.store,
      head: () => (losses > 0 && losses < 3 ? ((losses += 1), TE.left(down)) : world.store.head()),
      subscribe: (after, filter, handlers) => {
        lose = handlers.onFailure;
        return world.store.subscribe(after, filter, handlers);
      },
    };
    const readModels = world.open({ store });
    await world.caughtUp(readModels);
    losses = 1;
    lose(down);
    await until('lost', () => readModels.status().failure !== null);
    expect(readModels.status()).to.deep.include({ caught_up: false });
    const position = await world.append('video-v1', registered('v1'));
    await succeeded(readModels.queries.reached(position, 5_000));
    expect(await isShown('v1', readModels)).to.equal(true);
    expect(losses).to.equal(3);
    expect(readModels.status().failure).to.equal(null);
    expect(world.lines.map(({ level, message }) => `${level}: ${message}`)).to.deep.equal([
      'warn: the read models cannot follow the log',
      'info: the read models follow the log again',
    ]);
  });

  it('answers no query before the log was checked', async () => {
    let isDown = true;
    const store: EventStore = { ...world.store, head: () => (isDown ? TE.left(down) : world.store.head()) };
    const readModels = world.open({ store });
    const answer = await readModels.queries.hasAdminKey()();
    expect(E.isLeft(answer) && answer.left._tag).to.equal('ReadModelsUnavailable');
    isDown = false;
    await until('recovered', () => readModels.status().failure === null);
    expect(await succeeded(readModels.queries.hasAdminKey())).to.equal(false);
  });

  it('is rebuilt once an event whose key was missing can be opened, but not for an erased one', async () => {
    const withheld = new Map<string, 'key_missing' | 'erased'>([
      ['video-v1', 'key_missing'],
      ['video-v2', 'key_missing'],
    ]);
    const shown = (event: StoredEvent): StoredEvent => {
      const why = withheld.get(event.stream);
      return why === undefined ? event : { ...event, data: {}, withheld: why };
    };
    const isRebuilt = () =>
      world.lines.some(({ facts }) => facts?.['reason'] === 'a key that was missing is there again');
    const store: EventStore = {
      ...delivering(world.store, (page, onPage) => onPage({ ...page, events: page.events.map(shown) })),
      read: (...wanted) =>
        TE.map((events: ReadonlyArray<StoredEvent>) => events.map(shown))(world.store.read(...wanted)),
    };
    for (const id of ['v1', 'v2', 'v3']) await world.append(`video-${id}`, registered(id));
    const before = world.open({ store, keyRetryMs: 10 });
    await world.caughtUp(before);
    expect([await isShown('v1', before), await isShown('v3', before)]).to.deep.equal([false, true]);
    withheld.set('video-v2', 'erased');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isRebuilt()).to.equal(false);
    await before.close();
    const readModels = world.open({ store, keyRetryMs: 10 });
    await world.caughtUp(readModels);
    withheld.delete('video-v1');
    await until('rebuilt', isRebuilt);
    await world.caughtUp(readModels);
    expect(await isShown('v1', readModels)).to.equal(true);
    expect([await isShown('v2', readModels), await isShown('v3', readModels)]).to.deep.equal([false, true]);
  });
});
