import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { hashChain } from '../../../adapters/event-store/hash-chain.js';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import { withLiveFeed } from '../../../adapters/event-store/live-feed.js';
import { isRandom, systemIds } from '../../../adapters/runtime/ids.js';
import { aggregates } from '../../../application/application.js';
import { application } from '../../../application/commands/perform.js';
import { verifyLog } from '../../../application/audit/verify-log.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import { reactionsOfProcess } from '../../../application/reactions/run.js';
import { createCompletedReactions } from '../../../application/reactions/completed.js';
import { readEvent } from '../../../application/commands/read-event.js';
import { authoriseVideoId } from '../../../application/queries/authorise.js';
import { matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { registerAudio } from '../../../application/use-cases/audios/register-audio.js';
import { registerVideo } from '../../../application/use-cases/videos/register-video.js';
import { renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { analyseFaces, analyseSpeakers, audio, video } from '../../support/application/media.js';
import { type World, owner, world } from '../../support/application/world.js';
import { addressOf } from '../../support/event-store/address-of.js';
import { type TestServer, startTestServer } from '../../support/event-store/eventstoredb-server.js';
import { failed, succeeded, until } from '../../support/event-store/outcomes.js';
import { silentLog } from '../../support/event-store/silent-log.js';
import { audioId, faceId, personName, speakerId, videoId } from '../../support/values.js';

const unnamed = [
  [1, null],
  [2, null],
  [3, null],
] as const;
const [v, a] = [videoId('v'), audioId('a')];

/** The store, recording the calls to the server. */
const counting = (store: EventStore) => {
  const calls: string[] = [];
  const noted = <A>(name: string, task: () => Promise<A>) => {
    return () => {
      calls.push(name);
      return task();
    };
  };
  const counted: EventStore = {
    ...store,
    append: (stream, ...rest) => noted(`append ${stream}`, store.append(stream, ...rest)),
    read: (stream, ...rest) => noted(`read ${stream}`, store.read(stream, ...rest)),
    readAll: (...given) => noted('readAll', store.readAll(...given)),
    head: () => noted('head', store.head()),
    holds: (event) => noted('holds', store.holds(event)),
  };
  return { store: counted, calls };
};

interface Instance extends World {
  /** The calls to the server since the last time. */
  readonly takeCalls: () => ReadonlyArray<string>;
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

/** An application on a server, composed like the service and following the log like its read models. */
const startInstance = async (server: TestServer, seed: string): Promise<Instance> => {
  const { store: plain, close } = openEventStoreDb(addressOf(server.url), silentLog);
  const { store: counted, calls } = counting(plain);
  const { store: followed, liveFeed } = withLiveFeed(counted);
  const store = hashChain(followed, { guards: false, liveFeed, isOwnId: isRandom });
  const made = world(store, seed);
  store.subscribe(null, {}, { onPage: () => Promise.resolve(), onFailure: () => undefined });
  await until('the live feed', () => liveFeed.isLive());
  return {
    ...made,
    app: application({ ...made.app, ...aggregates(store, liveFeed), ids: systemIds, liveFeed }),
    takeCalls: () => calls.splice(0),
    store,
    close,
  };
};

describe('the calls of commands to an EventStoreDB', () => {
  let server: TestServer;
  let one: Instance;
  before(async () => {
    server = await startTestServer({ version: '26' });
    one = await startInstance(server, 'one');
    await succeeded(registerVideo(one.app, one.request(), video('v')));
    await succeeded(registerAudio(one.app, one.request(), audio('a', 'v')));
    await analyseFaces(one, 'v', unnamed);
    await analyseSpeakers(one, 'a', unnamed);
  });
  after(async () => {
    await one.close();
    await server.stop();
  });

  const match = (instance: Instance, face: number, speaker: number, name?: string) =>
    matchFaces(instance.app, instance.request(), v, [
      {
        face_id: faceId(face),
        speaker_id: speakerId(speaker),
        ...(name === undefined ? {} : { name: personName(name) }),
      },
    ]);
  /** Waits until the instance has both records in memory and has received everything written. */
  const known = async ({ app, store }: Instance): Promise<void> => {
    const head = await succeeded(store.head());
    if (head !== null) expect(await app.liveFeed.received(head)()).to.equal(true);
    await succeeded(app.videos.load(v));
    await succeeded(app.audios.load(a));
  };

  it('a match on known records: one append for each stream it writes, and nothing else', async () => {
    await known(one);
    for (const [face, speaker] of [
      [1, 2],
      [2, 3],
      [1, 3],
    ] as const) {
      one.pass(1);
      one.takeCalls();
      await succeeded(authoriseVideoId(one.app, owner, v, 'owner'));
      await succeeded(match(one, face, speaker));
      expect(one.takeCalls()).to.deep.equal(['append video-v']);
    }
    one.takeCalls();
    await succeeded(match(one, 1, 2, 'Grace Hopper'));
    expect(one.takeCalls()).to.deep.equal(['append video-v', 'append audio-a']);
    await known(one);
    one.takeCalls();
    await succeeded(match(one, 1, 2, 'Mary Shelley'));
    expect(one.takeCalls()).to.deep.equal(['append video-v', 'append audio-a']);
  });

  it('the process that finds a match already carried out makes no call', async () => {
    one.pass(1);
    await succeeded(match(one, 2, 1, 'Ada King'));
    await known(one);
    const stored = (await succeeded(one.store.read('video-v', -1, 1_000))).at(-1);
    const event = stored === undefined ? E.left(null) : readEvent(stored);
    if (E.isLeft(event)) throw new Error('no event');
    one.takeCalls();
    await succeeded(reactionsOfProcess({ ...one.app, completedReactions: createCompletedReactions() })(event.right));
    expect(one.takeCalls()).to.deep.equal([]);
  });

  it('confirms a refusal based on its cache, and decides on what another instance wrote', async () => {
    const other = await startInstance(server, 'other');
    await known(other);
    await known(one);
    one.pass(2);
    other.pass(3);
    await succeeded(
      renameSpeakers(other.app, other.request(), a, [{ speaker_id: speakerId(1), name: personName('Zoe') }]),
    );
    await known(one);
    await succeeded(match(one, 3, 1));
    const { state } = await succeeded(other.app.videos.load(v));
    expect(state._tag === 'Registered' && state.faces.get(faceId(3))?.name).to.equal('Zoe');
    one.takeCalls();
    expect(await failed(match(one, 1, 99))).to.include({ _tag: 'InvalidSpeaker' });
    expect(one.takeCalls()).to.include('read audio-a').and.not.include('append video-v');
    await other.close();
    expect((await verifyLog(one.store)).faults).to.deep.equal([]);
  });
});
