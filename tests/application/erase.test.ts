import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Application } from '../../application/application.js';
import type { PersonalKeys } from '../../application/ports/key-vault.js';
import { reactionProcess } from '../../application/processes/sweep.js';
import { readEvent } from '../../application/commands/read-event.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { eraseAudio, eraseSession, eraseVideo } from '../../application/use-cases/erasure/erase.js';
import { SessionId } from '../../domain/kernel/ids.js';
import { retentionActor } from '../../domain/kernel/recorded-event.js';
import { newId, serviceRequest } from '../../application/commands/context.js';
import { startRetention } from '../../application/processes/retention.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { openWorld } from '../projections/read-models-world.js';
import {
  completedMedia,
  videoState,
  otherInstance,
  type World,
  world,
  audio,
  video,
  owner,
} from '../support/application/world.js';
import { failingStore, openInMemory, failed, succeeded } from '../support/event-store/stores.js';
import { audioId, faceId, speakerId, videoId } from '../support/values.js';

const away = { _tag: 'StoreUnavailable', reason: 'it is away', because: 'key_vault' } as const;

/** A vault that counts the destructions of keys and fails at operations that the test chooses. */
const keysFailingAt = (keys: PersonalKeys) => {
  const failing = new Set<'isThere' | 'erase'>();
  const destroyed: string[] = [];
  return {
    failing,
    destroyed,
    keys: {
      ...keys,
      isThere: () => (failing.has('isThere') ? TE.left(away) : TE.right(true)),
      erase: (subject: string) =>
        failing.has('erase') ? TE.left(away) : TE.fromIO(() => void destroyed.push(subject)),
    } satisfies PersonalKeys,
  };
};

const open = async () => {
  const { store, close } = await openInMemory();
  const failing = failingStore(store);
  const place = world(failing.store);
  const vault = keysFailingAt(place.app.keys);
  const app: Application = { ...place.app, keys: vault.keys };
  await completedMedia(place, 'v');
  place.pass(1);
  return { place, app, failing, vault, close };
};

/** The reaction of the process to the last event of a stream. */
const followUp = async (app: Application, stream: string): Promise<void> => {
  const [last] = (await succeeded(app.store.read(stream, -1, 100))).slice(-1);
  if (last === undefined) throw new Error(`nothing in ${stream}`);
  const event = await succeeded(TE.fromEither(readEvent(last)));
  await succeeded(reactionProcess(app).react(event));
};

const lastType = async ({ app }: World, stream: string): Promise<string | undefined> =>
  (await succeeded(app.store.read(stream, -1, 100))).at(-1)?.type;

describe('an erasure', () => {
  it('stores nothing while the vault is unavailable', async () => {
    const { place, app, vault, close } = await open();
    vault.failing.add('isThere');
    const head = await succeeded(app.store.head());
    const session = newId(app.ids, SessionId);
    const erasures: ReadonlyArray<TE.TaskEither<{ readonly _tag: string }, unknown>> = [
      eraseVideo(app, place.request(), videoId('v')),
      eraseAudio(app, place.request(), audioId('v')),
      eraseSession(app, place.request(), session),
    ];
    for (const erasing of erasures) expect(await failed(erasing)).to.deep.equal(away);
    expect(await succeeded(app.store.head())).to.equal(head);
    expect(vault.destroyed).to.deep.equal([]);
    await close();
  });

  it('that is stored is answered with its receipt although the key still exists; the process destroys the key', async () => {
    const { place, app, vault, close } = await open();
    vault.failing.add('erase');
    const { receipt } = await succeeded(eraseVideo(app, place.request(), videoId('v')));
    const stored = (await succeeded(app.store.read('video-v', -1, 100))).at(-1);
    expect(stored).to.include({ type: 'MediumErased.v1', position: receipt.position, id: receipt.event_id });
    expect(place.logged.join()).to.include('a key was not destroyed');
    vault.failing.clear();
    await followUp(app, 'video-v');
    expect(vault.destroyed).to.deep.equal(['video-v']);
    await close();
  });

  it('keeps the key while reactions to it fail, because these need it; the process runs them first', async () => {
    const { place, app, failing, vault, close } = await open();
    failing.failAfter(1);
    const { receipt } = await succeeded(eraseAudio(app, place.request(), audioId('v')));
    failing.recover();
    expect(receipt.position).to.equal(await succeeded(app.store.head()));
    expect(vault.destroyed).to.deep.equal([]);
    expect((await videoState(place, 'v')).audio_id).to.equal('v');
    await followUp(app, 'audio-v');
    expect((await videoState(place, 'v')).audio_id).to.equal(null);
    expect(vault.destroyed).to.deep.equal(['audio-v']);
    expect(await lastType(place, 'audio-v')).to.equal('MediumErased.v1');
    await close();
  });

  it('that was interrupted leaves nothing of the audio, if the process runs the reactions to earlier events first', async () => {
    const { place, app, failing, close } = await open();
    const mappings = [{ face_id: faceId(1), speaker_id: speakerId(1) }];
    await succeeded(matchFaces(app, place.request(), videoId('v'), mappings));
    failing.failAfter(1);
    await succeeded(eraseAudio(app, place.request(), audioId('v')));
    failing.recover();
    const restarted = otherInstance(app);
    for (const stored of await succeeded(app.store.read('video-v', -1, 100)))
      await succeeded(reactionProcess(restarted).react(await succeeded(TE.fromEither(readEvent(stored)))));
    await followUp(restarted, 'audio-v');
    const { audio_id, faces } = await videoState(place, 'v');
    expect(audio_id).to.equal(null);
    expect(faces.get(faceId(1))).to.include({ name: 'Face 1', speaker_id: null });
    await close();
  });
});

describe('retention', () => {
  it('logs a check that failed and repeats it a minute later; after a check that succeeded, it waits an hour', async () => {
    const { store, open, end } = await openWorld();
    const { app } = world(store);
    let isAway = true;
    const away = TE.left({ _tag: 'StoreUnavailable' as const, reason: 'it is away' });
    const lines: string[] = [];
    const planned: Array<{ readonly seconds: number; readonly work: () => void }> = [];
    const looking = {
      app: {
        ...app,
        log: { ...app.log, warn: (message: string) => void lines.push(message) },
        store: { ...store, head: () => (isAway ? away : store.head()) },
      },
      queries: open().queries,
      upToHead: TE.right(undefined),
    };
    const timers = {
      after: (seconds: number, work: () => void) => {
        planned.push({ seconds, work });
        return () => undefined;
      },
    };
    const retention = startRetention(looking, timers);
    const next = async (): Promise<number> => {
      for (let before = planned.length; planned.length === before;) await new Promise(setImmediate);
      return planned.at(-1)?.seconds ?? 0;
    };
    expect([await next(), lines]).to.deep.equal([60, ['retention was interrupted']]);
    isAway = false;
    planned.at(-1)?.work();
    expect([await next(), lines.length]).to.deep.equal([3_600, 1]);
    await retention.close();
    await end();
  });

  it('erases an old audio whose video it erased before: that is no use of it; a young one stays', async () => {
    const { store, open, end } = await openWorld();
    const { app, request, pass, logged } = world(store);
    const { account_id } = owner;
    const given = request();
    await succeeded(
      app.perform(given, 'accounts', account_id, { type: 'OpenAccount', account_id, name: null, at: given.at }),
    );
    await succeeded(app.perform(given, 'accounts', account_id, { type: 'SetRetention', days: 1, at: given.at }));
    await succeeded(registerVideo(app, given, video('v')));
    await succeeded(registerAudio(app, given, audio('a', 'v')));
    pass(2 * 86_400);
    await succeeded(registerAudio(app, request(), audio('young')));
    pass(3_600);
    await succeeded(eraseVideo(app, serviceRequest(retentionActor, 'earlier run', app.clock.now()), videoId('v')));
    const { queries } = open();
    const upToHead = pipe(
      store.head(),
      TE.chainW((head) => queries.reached(head ?? '', 5_000)),
    );
    const needs = { app, queries, upToHead };
    const planned = new Promise((resolve) => {
      startRetention(needs, {
        after: (seconds) => {
          resolve(seconds);
          return () => undefined;
        },
      });
    });
    expect([await planned, logged]).to.deep.equal([3_600, []]);
    expect((await succeeded(app.audios.load(audioId('a')))).state._tag).to.equal('Erased');
    expect((await succeeded(app.audios.load(audioId('young')))).state._tag).to.equal('Registered');
    await end();
  });
});
