import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { type RequestContext, idsOf, newId } from '../../application/commands/context.js';

import { renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { issueKey, openAccount } from '../../application/use-cases/access/manage-access.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { queueMatchRun, receiveWriteBack, revertMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { undo, audio, completedMedia, video, type World, world } from '../support/application/world.js';
import { VideoId } from '../../domain/kernel/ids.js';
import {
  credits,
  accountId,
  audioId,
  faceId,
  instanceId,
  personName,
  runId,
  speakerId,
  videoId,
} from '../support/values.js';
import { openInMemory, failed, succeeded } from '../support/event-store/stores.js';
import { proposed } from '../support/video-events.js';

type Write = (place: World, request: RequestContext) => TE.TaskEither<{ readonly _tag: string }, unknown>;

const [v, a] = [videoId('v'), audioId('v')];

/** Every kind of write, with its preconditions. */
const writes: Readonly<Record<string, readonly [prepare: (place: World) => Promise<unknown>, write: Write]>> = {
  'a video with an id of the service': [
    async () => undefined,
    ({ app }, request) => {
      const video_id = newId(idsOf(app.ids, request), VideoId);
      return pipe(
        registerVideo(app, request, { ...video('x'), video_id }),
        TE.map(() => video_id),
      );
    },
  ],
  'a video with an audio': [
    (place) => succeeded(registerAudio(place.app, place.request(), audio('b'))),
    ({ app }, request) => registerVideo(app, request, video('w', 'b')),
  ],
  'an audio of a video': [
    (place) => succeeded(registerVideo(place.app, place.request(), video('w'))),
    ({ app }, request) => registerAudio(app, request, audio('b', 'w')),
  ],
  'an account': [async () => undefined, ({ app }, request) => openAccount(app, request, accountId('new'), 'New')],
  'a grant': [
    async () => undefined,
    ({ app }, request) => bookCredits(app, request, accountId('owner'), credits('5'), 'top-up'),
  ],
  'a commit of faces': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) =>
      matchFaces(app, request, v, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Ann Example' }]),
  ],
  'a trigger': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) => queueMatchRun(app, request, v, 'suggest', null),
  ],
  'a write-back without a run id': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) =>
      receiveWriteBack(app, request, v, null, {
        status: 'completed',
        matches: [proposed(1, 1)],
        unmatched_speakers: [],
      }),
  ],
  'names of speakers': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) => renameSpeakers(app, request, a, [{ speaker_id: speakerId(1), name: personName('Bea') }]),
  ],
  'a merge of speakers': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) =>
      app.perform(request, 'audios', a, {
        type: 'MergeSpeakers',
        from: speakerId(2),
        into: speakerId(1),
        at: request.at,
      }),
  ],
  'a revert': [
    async (place) => {
      await completedMedia(place, 'v');
      const faces = [{ face_id: faceId(1), name: personName('Bea') }];
      await succeeded(
        place.app.perform(place.request(), 'videos', v, { type: 'RenameFaces', faces, at: place.request().at }),
      );
    },
    (place, request) =>
      pipe(
        place.app.store.read('video-v', -1, 100),
        TE.chainW((events) =>
          undo(
            place,
            request,
            'video',
            'v',
            events.find(({ type }) => type.startsWith('FacesRenamed'))?.position ?? '',
          ),
        ),
      ),
  ],
  'the revert of a run': [
    async (place) => {
      await completedMedia(place, 'v');
      await succeeded(
        receiveWriteBack(place.app, place.request(), v, null, {
          status: 'completed',
          matches: [proposed(1, 1)],
          unmatched_speakers: [],
        }),
      );
    },
    (place, request) =>
      pipe(
        place.app.store.readAll(null, { categories: ['matchRun'] }, 1),
        TE.chainW(({ events }) => {
          const run_id = events[0]?.stream.slice('matchRun-'.length) ?? '';
          return revertMatchRun(place.app, request, v, runId(run_id), false);
        }),
      ),
  ],
};

const plainAnswer = (answer: unknown) => ({
  body: typeof answer === 'bigint' ? String(answer) : JSON.stringify(answer ?? null),
  headers: {},
  secret_of: null,
});

const openPlaces = async () => {
  const { store, close } = await openInMemory();
  const [first, second] = [world(store, 'first'), world(store, 'second')];
  second.pass(5);
  const events = async () =>
    (await succeeded(store.readAll(null, {}, 1_000))).events.filter(
      ({ stream }) => !stream.startsWith('idempotencyKey'),
    );
  return { first, second, close, events };
};

/** What a client would see of it: events have other hashes in an interrupted write. */
const withoutEvents = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'recorded' in answer ? 'done' : answer;

/** Every call is a new process of one instance. */
const once = (place: World, run: (request: RequestContext) => ReturnType<Write>) =>
  keyedWrites(place.app, instanceId('i'))(place.request(), 'key', 'digest').once({
    run: (request) => pipe(run(request), TE.map(withoutEvents)),
    stored: plainAnswer,
  });

describe('a write with an idempotency key that a crash interrupted', () => {
  for (const [name, [prepare, write]] of Object.entries(writes))
    it(`is completed once by the next process: ${name}`, async () => {
      const { first, second, close, events } = await openPlaces();
      await prepare(first);
      const before = (await events()).length;
      const answers: unknown[] = [];
      const dead = new Promise<never>(() => undefined);
      const cut = once(first, (request) =>
        pipe(
          write(first, request),
          TE.chainFirstTaskK((answer) => {
            answers.push(withoutEvents(answer));
            return () => dead;
          }),
        ),
      );
      void cut();
      while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      const written = await events();
      expect(written.length).to.be.above(before);
      const served = await succeeded(once(second, (request) => write(second, request)));
      expect(await events()).to.deep.equal(written);
      expect(served).to.deep.equal({ kind: 'new', answer: answers[0] });
      const again = await succeeded(once(second, () => TE.left({ _tag: 'NeverAsked' })));
      expect(again).to.deep.equal({ kind: 'stored', answer: plainAnswer(answers[0]) });
      await close();
    });

  it('before anything was written is done by the next process', async () => {
    const { first, second, close, events } = await openPlaces();
    const [, write] = writes['a grant'] ?? [null, () => TE.left({ _tag: 'None' })];
    void once(first, () => () => new Promise<never>(() => undefined))();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await events()).to.have.length(0);
    await succeeded(once(second, (request) => write(second, request)));
    expect(await events()).to.have.length(1);
    await close();
  });

  it('whose answer contained a secret returns the id of what was created, if it was; otherwise it is created', async () => {
    const { first, second, close, events } = await openPlaces();
    await succeeded(openAccount(first.app, first.request(), accountId('owner'), null));
    const rights = { label: null, admin: false, permissions: [], expires_in_seconds: null };
    const issue = (place: World, request: RequestContext) => issueKey(place.app, request, accountId('owner'), rights);
    const served = (place: World, key: string, run: (request: RequestContext) => ReturnType<typeof issue>) =>
      keyedWrites(place.app, instanceId('i'))(place.request(), key, 'digest').once({
        run,
        stored: ({ key_id }) => ({ body: 'null', headers: {}, secret_of: key_id }),
        interrupted: (id) =>
          pipe(
            place.app.accounts.load('owner'),
            TE.map(({ state }) =>
              state._tag === 'Open' && [...state.keys.keys()].some((known) => known === id)
                ? 'secret_made'
                : 'start_over',
            ),
          ),
      });
    const made: string[] = [];
    const dead = () => new Promise<never>(() => undefined);
    const cut = served(first, 'cut', (request) =>
      pipe(
        issue(first, request),
        TE.chainFirstTaskK(({ key_id }) => {
          made.push(key_id);
          return dead;
        }),
      ),
    );
    void cut();
    void served(first, 'early', () => dead)();
    while (made.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = (await events()).length;
    const again = await succeeded(served(second, 'cut', (request) => issue(second, request)));
    expect(again).to.deep.equal({ kind: 'stored', answer: { body: 'null', headers: {}, secret_of: made[0] } });
    expect(await events()).to.have.length(before);
    const early = await succeeded(served(second, 'early', (request) => issue(second, request)));
    expect(early.kind).to.equal('new');
    expect(await events()).to.have.length(before + 1);
    await close();
  });

  it('whose outcome is unknown because the store failed is done once; a refusal is not stored', async () => {
    const { first, close, events } = await openPlaces();
    const writesOf = keyedWrites(first.app, instanceId('i'));
    const grant = (request: RequestContext) => bookCredits(first.app, request, accountId('owner'), credits('5'), 'x');
    const key = writesOf(first.request(), 'key', 'digest');
    const lost = pipe(
      grant,
      (run) => (request: RequestContext) =>
        pipe(
          run(request),
          TE.chainW(() => TE.left({ _tag: 'StoreUnavailable' as const, reason: 'gone' })),
        ),
    );
    const kept = { stored: plainAnswer };
    await failed(key.once({ run: lost, ...kept }));
    await succeeded(key.once({ run: grant, ...kept }));
    expect(await events()).to.have.length(1);
    const refused = writesOf(first.request(), 'refused', 'digest');
    const no = { _tag: 'NotNow' as const };
    expect(await failed(refused.once({ run: () => TE.left(no), ...kept }))).to.deep.equal(no);
    await succeeded(refused.once({ run: grant, ...kept }));
    expect(await events()).to.have.length(2);
    await close();
  });
});
