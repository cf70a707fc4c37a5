import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Application } from '../../application/application.js';
import { reactionProcess } from '../../application/processes/sweep.js';
import { readEvent } from '../../application/commands/read-event.js';
import { renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { queueMatchRun, receiveWriteBack, revertMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { inferNames } from '../../application/name-inference/infer-names.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { followUpsOf, reactionTo } from '../../application/reactions/table.js';
import { followUpContext } from '../../application/commands/context.js';
import {
  audioState,
  completedMedia,
  videoState,
  logOf,
  runReactions,
  undo as undoChange,
  type World,
  world,
  requestForAda,
  inferenceOfAda,
  recordAdaSpeaking,
} from '../support/application/world.js';
import {
  type FailingStore,
  failingStore,
  succeeded,
  openInMemory,
  openTemporarySqlite,
  type OpenStore,
} from '../support/event-store/stores.js';
import { audioId, faceId, personName, runId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const id = videoId('v');
const found = { status: 'completed' as const, matches: [proposed(1, 1)], unmatched_speakers: [] };

type Use = (place: World) => Promise<unknown>;
const map: Use = ({ app, request }) =>
  matchFaces(app, request(), id, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Eve' }])();
const renameSpeaker: Use = ({ app, request }) =>
  renameSpeakers(app, request(), audioId('v'), [{ speaker_id: speakerId(1), name: personName('Bea') }])();
const deleteSpeaker: Use = ({ app, request }) =>
  app.perform(request(), 'audios', audioId('v'), {
    type: 'DeleteSpeaker',
    speaker_id: speakerId(1),
    at: request().at,
  })();
const mergeSpeakers: Use = ({ app, request }) =>
  app.perform(request(), 'audios', audioId('v'), {
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

/** Undoes the last change in the log. */
const undo =
  (on: 'video' | 'audio'): Use =>
  async ({ app, request }) => {
    const position = (await succeeded(app.store.head())) ?? '';
    return undoChange({ app }, request(), on, 'v', position)();
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
  'an answer to no run': { before: [], use: answer, writes: 2 },
  'a revert': { before: [trigger, answer], use: revert, writes: 2 },
  'a match that is undone on the video': { before: [map], use: undo('video'), writes: 2 },
  'a match that is undone on the audio': { before: [map], use: undo('audio'), writes: 2 },
};

interface Place {
  readonly failing: FailingStore;
  readonly place: World;
  readonly close: () => Promise<void>;
}

/** A new world with the initial events of a scenario. */
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
  log: (await logOf(place)).filter((line) => !line.startsWith('idempotencyKey-')).toSorted(),
});

const stores: Readonly<Record<string, OpenStore>> = {
  SQLite: openTemporarySqlite,
  'a store that takes ids again': openInMemory,
};

Object.entries(stores).forEach(([kind, open]) =>
  describe(`reactions to an event in other streams, on ${kind}`, () => {
    Object.entries(scenarios).forEach(([name, { before, use, writes }]) => {
      it(`run in the same request: ${name}`, async () => {
        const { place, failing, close } = await begin(open, before);
        await use(place);
        expect(failing.appends()).to.equal(writes);
        expect(place.logged).to.deep.equal([]);
        const after = await everything(place);
        await runReactions(place.app);
        await runReactions(place.app);
        expect(await everything(place)).to.deep.equal(after);
        await close();
      });

      it(`are known to be done, without reading other streams: ${name}`, async () => {
        const { place, close } = await begin(open, before);
        const start = await succeeded(place.app.store.head());
        await use(place);
        const looked: string[] = [];
        const noted =
          <Given extends ReadonlyArray<unknown>, Result>(call: (...given: Given) => Result, what: string) =>
          (...given: Given): Result => {
            looked.push(what);
            return call(...given);
          };
        const { videos, audios, matchRuns } = place.app;
        const app: Application = {
          ...place.app,
          videos: { ...videos, handle: noted(videos.handle, 'video') },
          audios: { ...audios, handle: noted(audios.handle, 'audio') },
          matchRuns: {
            ...matchRuns,
            load: noted(matchRuns.load, 'run'),
            handle: noted(matchRuns.handle, 'run'),
          },
        };
        const process = reactionProcess(app);
        const { events } = await succeeded(app.store.readAll(start, process.filter, 100));
        expect(events).to.not.deep.equal([]);
        for (const stored of events) await succeeded(process.react(await succeeded(TE.fromEither(readEvent(stored)))));
        expect(looked).to.deep.equal([]);
        await close();
      });

      it(`are completed after a crash: ${name}`, async () => {
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
          await runReactions(restarted.app);
          expect(await everything(restarted), `after ${survived} writes`).to.deep.equal(expected);
          await runReactions(restarted.app);
          expect(await everything(restarted), 'and again').to.deep.equal(expected);
          await close();
        }
      });

      it(`do not run if the event itself could not be appended: ${name}`, async () => {
        const { place, failing, close } = await begin(open, before);
        const earlier = await logOf(place);
        failing.failAfter(0);
        expect(await use(place)).to.have.nested.property('left._tag', 'StoreUnavailable');
        failing.recover();
        await runReactions(place.app);
        expect(await logOf(place)).to.deep.equal(earlier);
        await close();
      });
    });

    it('are left to the process if they fail, which is logged; the request is answered', async () => {
      const { place, failing, close } = await begin(open, []);
      failing.failAfter(1);
      expect(await map(place)).to.have.property('_tag', 'Right');
      expect(place.logged.join()).to.contain('follow-ups failed; the background process will run them');
      await close();
    });
  }),
);

/** A store that does something else after each append of a type, before the append returns. */
const interrupted = (inner: EventStore, type: string, meanwhile: (stream: string) => Promise<void>): EventStore => ({
  ...inner,
  append: (stream, expected, events) => async () => {
    const appended = await inner.append(stream, expected, events)();
    if (events.some((event) => event.type === type)) await meanwhile(stream);
    return appended;
  },
});

/** The first reaction of the process to the last event of a stream, without further reactions. */
const followFirstSteps = async ({ app }: World, stream: string): Promise<void> => {
  const [last] = (await succeeded(app.store.read(stream, -1, 100))).slice(-1);
  if (last === undefined) throw new Error(`nothing in ${stream}`);
  const event = await succeeded(TE.fromEither(readEvent(last)));
  for (const [index, { to, id, command }] of followUpsOf(reactionTo(event), null).entries()) {
    const context = followUpContext(app.ids, event, `follow/${index}`, app.clock.now());
    if (to === 'creditAccounts') await succeeded(app.creditAccounts.handle(id, command, context));
    if (to === 'audios') await succeeded(app.audios.handle(id, command, context));
  }
};

describe('a committing inference whose reactions the process runs first', () => {
  it('answers only once the matched face has its name too', async () => {
    const { store, close } = await openInMemory();
    const place: World = world(
      interrupted(store, 'NameInferenceAnswered.v1', (stream) => followFirstSteps(place, stream)),
    );
    await completedMedia(place, 'v');
    await recordAdaSpeaking(place, 'v');
    const mappings = [{ face_id: faceId(1), speaker_id: speakerId(1) }];
    await succeeded(matchFaces(place.app, place.request(), videoId('v'), mappings));
    place.pass(1);
    const nameRequest = await requestForAda(place, 'v', 'commit');
    const seen: string[] = [];
    const request = place.request({ onWrite: (position) => void seen.push(position) });
    const { inference } = inferenceOfAda();
    expect(E.isRight(await inferNames(place.app, inference, request, nameRequest)())).to.equal(true);
    expect((await videoState(place, 'v')).faces.get(faceId(1))?.name).to.equal('Ada Lovelace');
    expect(seen.toSorted().at(-1)).to.equal(await succeeded(store.head()));
    await close();
  });
});

describe('an undo of a change of two records', () => {
  const face = { record: 'face', id: 1, fields: ['name', 'speaker_id'] };
  const speaker = { record: 'speaker', id: 1, fields: ['name'] };
  for (const [on, reverted] of [
    ['video', [face, speaker]],
    ['audio', [speaker, face]],
  ] as const)
    it(`answers at the ${on} with the restored fields of both, its own first`, async () => {
      const { place } = await begin(openInMemory, [map]);
      expect(await undo(on)(place)).to.have.deep.property('right', { reverted, changed_since: [] });
    });
});

describe('a renaming of speakers', () => {
  it('reaches a face that was matched in the same millisecond; unknown speakers are skipped', async () => {
    const { place } = await begin(openInMemory, []);
    await map(place);
    const names = [1, -1].map((speaker_id) => ({ speaker_id, name: personName('Bea') }));
    const answer = await succeeded(renameSpeakers(place.app, place.request(), audioId('v'), names));
    expect(answer).to.deep.equal({ speakers: names.slice(0, 1), skipped: [-1] });
    expect((await videoState(place, 'v')).faces.get(faceId(1))?.name).to.equal('Bea');
  });
});

const rounds = 24;

describe('one change of two records that is undone on two instances at once', () => {
  it('is undone by one of the two, at whichever record; the other has nothing left to revert', async () => {
    const { store, close } = await openInMemory();
    const [one, other] = [world(store, 'one'), world(store, 'other')];
    for (let round = 0; round < rounds; round += 1) {
      const id = `v${round}`;
      await completedMedia(one, id);
      const mapping = { face_id: faceId(1), speaker_id: speakerId(1), name: 'Bea' };
      await succeeded(matchFaces(one.app, one.request(), videoId(id), [mapping]));
      const position = (await succeeded(store.read(`video-${id}`, -1, 100))).at(-1)?.position ?? '';
      const answers = await Promise.all([
        undoChange(one, one.request(), round % 2 === 0 ? 'video' : 'audio', id, position)(),
        undoChange(other, other.request(), round % 4 < 2 ? 'video' : 'audio', id, position)(),
      ]);
      expect(answers.filter(E.isRight), JSON.stringify(answers)).to.have.length(1);
      expect(answers.find(E.isLeft)).to.have.nested.property('left._tag', 'NothingToRevert');
      expect((await videoState(one, id)).faces.get(faceId(1))).to.include({ name: 'Face 1', speaker_id: null });
      expect((await audioState(other, id)).speakers.get(speakerId(1))).to.include({ name: 'Ann' });
    }
    const { events } = await succeeded(store.readAll(null, { types: ['WriteClaimed.v1'] }, 1_000));
    for (const { metadata } of events) expect(metadata).to.have.nested.property('actor.account_id', 'owner');
    expect(events).to.have.length.above(rounds - 1);
    await close();
  });
});
