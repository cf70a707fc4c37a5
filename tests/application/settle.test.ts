import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { revertAudioChange, revertVideoChange } from '../../application/undo/revert-change.js';
import { changeAudio } from '../../application/use-cases/change-audio.js';
import { renameSpeakers } from '../../application/use-cases/rename-speakers.js';
import { matchFaces } from '../../application/use-cases/match-faces.js';
import { queueMatchRun } from '../../application/use-cases/queue-match-run.js';
import { receiveWriteBack } from '../../application/use-cases/receive-write-back.js';
import { registerAudio } from '../../application/use-cases/register-audio.js';
import { registerVideo } from '../../application/use-cases/register-video.js';
import { revertMatchRun } from '../../application/use-cases/revert-match-run.js';
import { audio, audioState, completedMedia, video, videoState } from '../support/application/media.js';
import { logOf, settleLog } from '../support/application/settled.js';
import { type World, world } from '../support/application/world.js';
import { type FailingStore, failingStore } from '../support/event-store/failing-store.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import type { OpenStore } from '../support/contracts/event-store-contract.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';
import { accountId, audioId, faceId, personName, runId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const id = videoId('v');
const found = { status: 'completed' as const, matches: [proposed(1, 1)], unmatched_speakers: [] };

type Use = (place: World) => Promise<unknown>;
const map: Use = ({ app, request }) =>
  matchFaces(app, request(), id, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Eve' }])();
const renameSpeaker: Use = ({ app, request }) =>
  renameSpeakers(app, request(), audioId('v'), [{ speaker_id: speakerId(1), name: personName('Bea') }])();
const deleteSpeaker: Use = ({ app, request }) =>
  changeAudio(app, request(), audioId('v'), { type: 'DeleteSpeaker', speaker_id: speakerId(1), at: request().at })();
const mergeSpeakers: Use = ({ app, request }) =>
  changeAudio(app, request(), audioId('v'), {
    type: 'MergeSpeakers',
    from: speakerId(1),
    into: speakerId(2),
    at: request().at,
  })();
const trigger: Use = ({ app, request }) => queueMatchRun(app, request(), id, 'commit', null)();
const answer: Use = ({ app, request }) => receiveWriteBack(app, request(), id, null, found)();
const revert: Use = async (place) => {
  const run = (await logOf(place)).find((line) => line.startsWith('matchRun-')) ?? '';
  return revertMatchRun(
    place.app,
    place.request(),
    id,
    runId(run.slice('matchRun-'.length, run.indexOf(' '))),
    false,
  )();
};

/** Undoes the last change of all. */
const undo =
  (on: 'video' | 'audio'): Use =>
  async ({ app, request }) => {
    const wanted = { position: (await succeeded(app.store.head())) ?? '', dry_run: false };
    return on === 'video'
      ? revertVideoChange(app, request(), id, wanted)()
      : revertAudioChange(app, request(), audioId('v'), id, wanted)();
  };

const scenarios: Readonly<
  Record<string, { readonly before: ReadonlyArray<Use>; readonly use: Use; readonly writes: number }>
> = {
  'a face match that names a speaker': { before: [], use: map, writes: 2 },
  'a renamed speaker': { before: [map], use: renameSpeaker, writes: 2 },
  'a deleted speaker': { before: [map], use: deleteSpeaker, writes: 2 },
  'a merged speaker': { before: [map], use: mergeSpeakers, writes: 2 },
  'a queued run': { before: [], use: trigger, writes: 2 },
  'a queued run that supersedes another': { before: [trigger], use: trigger, writes: 3 },
  'an answer': { before: [trigger], use: answer, writes: 2 },
  'an answer to no run': { before: [], use: answer, writes: 3 },
  'a revert': { before: [trigger, answer], use: revert, writes: 2 },
  'a match that is undone on the video': { before: [map], use: undo('video'), writes: 2 },
  'a match that is undone on the audio': { before: [map], use: undo('audio'), writes: 2 },
};

interface Place {
  readonly failing: FailingStore;
  readonly place: World;
  readonly close: () => Promise<void>;
}

/** A world of its own in which a scenario's beginning has happened. */
const begin = async (open: OpenStore, before: ReadonlyArray<Use>): Promise<Place> => {
  const { store, close } = await open();
  const failing = failingStore(store);
  const place = world(failing.store, 'same in both');
  await completedMedia(place, 'v');
  for (const use of before) {
    place.pass(1);
    await use(place);
  }
  place.pass(1);
  failing.recover();
  return { failing, place, close };
};

const everything = async (place: World) => ({
  video: await videoState(place, 'v'),
  audio: await audioState(place, 'v'),
  log: [...(await logOf(place))].sort(),
});

const stores: Readonly<Record<string, OpenStore>> = {
  SQLite: openTemporarySqlite,
  'a store that takes ids again': openInMemory,
};

Object.entries(stores).forEach(([kind, open]) =>
  describe(`what follows from an event in other streams, on ${kind}`, () => {
    Object.entries(scenarios).forEach(([name, { before, use, writes }]) => {
      it(`is done in the same request: ${name}`, async () => {
        const { place, failing, close } = await begin(open, before);
        await use(place);
        expect(failing.appends()).to.equal(writes);
        expect(place.logged).to.deep.equal([]);
        const after = await everything(place);
        await settleLog(place.app);
        await settleLog(place.app);
        expect(await everything(place)).to.deep.equal(after);
        await close();
      });

      it(`is finished after a crash: ${name}`, async () => {
        const whole = await begin(open, before);
        await use(whole.place);
        const expected = await everything(whole.place);
        await whole.close();
        for (let survived = 1; survived < writes; survived += 1) {
          const { place, failing, close } = await begin(open, before);
          failing.failAfter(survived);
          await use(place);
          failing.recover();
          const restarted = { ...world(place.app.store, 'after the restart'), now: place.now };
          expect(await everything(restarted), 'half done').to.not.deep.equal(expected);
          await settleLog(restarted.app);
          expect(await everything(restarted), `after ${survived} writes`).to.deep.equal(expected);
          await settleLog(restarted.app);
          expect(await everything(restarted), 'and again').to.deep.equal(expected);
          await close();
        }
      });

      it(`comes of nothing when the decision itself could not be kept: ${name}`, async () => {
        const { place, failing, close } = await begin(open, before);
        const earlier = await logOf(place);
        failing.failAfter(0);
        expect(await use(place)).to.have.nested.property('left._tag', 'StoreUnavailable');
        failing.recover();
        await settleLog(place.app);
        expect(await logOf(place)).to.deep.equal(earlier);
        await close();
      });
    });

    it('says so when it is left to the process, and answers all the same', async () => {
      const { place, failing, close } = await begin(open, []);
      failing.failAfter(1);
      expect(await map(place)).to.have.property('_tag', 'Right');
      expect(place.logged.join()).to.contain('left to the follow-up process');
      await close();
    });
  }),
);

describe('a linked registration', () => {
  const opening = async (): Promise<Place> => {
    const { store, close } = await openTemporarySqlite();
    const failing = failingStore(store);
    return { failing, place: world(failing.store), close };
  };

  it('of an audio with its video registers both sides', async () => {
    const { place, close } = await opening();
    await succeeded(registerVideo(place.app, place.request(), video('v')));
    await succeeded(registerAudio(place.app, place.request(), audio('a', 'v')));
    expect((await videoState(place, 'v')).audio_id).to.equal('a');
    expect((await audioState(place, 'a')).video_id).to.equal('v');
    await close();
  });

  it('of a video with its audio registers both sides', async () => {
    const { place, close } = await opening();
    await succeeded(registerAudio(place.app, place.request(), audio('a')));
    await succeeded(registerVideo(place.app, place.request(), video('v', 'a')));
    expect((await videoState(place, 'v')).audio_id).to.equal('a');
    expect((await audioState(place, 'a')).video_id).to.equal('v');
    await close();
  });

  it("refuses a partner that is not there, that is somebody else's, or that has one already", async () => {
    const { place, close } = await opening();
    const { app, request } = place;
    expect(await failed(registerAudio(app, request(), audio('a', 'v')))).to.include({ _tag: 'UnavailableVideo' });
    expect(await failed(registerVideo(app, request(), video('v', 'a')))).to.include({ _tag: 'UnavailableAudio' });
    await succeeded(registerVideo(app, request(), video('v')));
    await succeeded(registerAudio(app, request(), audio('a', 'v')));
    const taken = await failed(registerAudio(app, request(), audio('b', 'v')));
    expect(taken).to.deep.equal({ _tag: 'AudioAlreadyAssociated', audio_id: 'a' });
    expect(await failed(registerVideo(app, request(), video('w', 'a')))).to.include({ _tag: 'AudioHasParent' });
    const stranger = { ...request(), caller: { ...request().caller, account_id: accountId('stranger') } };
    expect(await failed(registerVideo(app, stranger, video('x', 'a')))).to.include({ _tag: 'UnavailableAudio' });
    expect(await failed(registerAudio(app, stranger, audio('y', 'v')))).to.include({ _tag: 'UnavailableVideo' });
    await close();
  });

  it('is undone on the other side when the id was taken meanwhile', async () => {
    const { place, failing, close } = await opening();
    const { app, request } = place;
    await succeeded(registerVideo(app, request(), video('v')));
    failing.failAfter(1);
    expect(await failed(registerAudio(app, request(), audio('a', 'v')))).to.include({ _tag: 'AudioExists' });
    expect((await videoState(place, 'v')).audio_id, 'half done').to.equal('a');
    failing.recover();
    await succeeded(registerAudio(app, request(), audio('a')));
    await settleLog(place.app);
    expect((await videoState(place, 'v')).audio_id).to.equal(null);
    expect((await audioState(place, 'a')).video_id).to.equal(null);
    const log = await logOf(place);
    await settleLog(place.app);
    expect(await logOf(place)).to.deep.equal(log);
    await close();
  });

  it('goes to one of two that want the same partner, or the same id', async () => {
    const { place, close } = await opening();
    const { app, request } = place;
    await succeeded(registerVideo(app, request(), video('v')));
    const audios = await Promise.all(['a', 'b'].map((one) => registerAudio(app, request(), audio(one, 'v'))()));
    expect(audios.filter(E.isRight)).to.have.length(1);
    await succeeded(registerAudio(app, request(), audio('c')));
    await succeeded(registerAudio(app, request(), audio('d')));
    const videos = await Promise.all(['c', 'd'].map((one) => registerVideo(app, request(), video('w', one))()));
    expect(videos.filter(E.isRight)).to.have.length(1);
    const mine = (await videoState(place, 'w')).audio_id;
    const parents = [(await audioState(place, 'c')).video_id, (await audioState(place, 'd')).video_id];
    expect(parents).to.deep.equal(mine === 'c' ? ['w', null] : [null, 'w']);
    await close();
  });
});
