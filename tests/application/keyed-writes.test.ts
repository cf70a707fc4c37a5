import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe, constVoid } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { type RequestContext, idsOf, newId } from '../../application/commands/context.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { issueKey, openAccount } from '../../application/use-cases/access/manage-access.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { receiveWriteBack } from '../../application/use-cases/match-runs/match-runs.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { VideoId } from '../../domain/kernel/ids.js';
import { inferNames, interruptedRun } from '../../application/name-inference/infer-names.js';
import type { NameInference, NameRequest } from '../../application/name-inference/name-inference.js';
import {
  undo,
  audio,
  completedMedia,
  video,
  type World,
  world,
  requestForAda,
  inferenceOfAda,
  recordAdaSpeaking,
  logOf,
  runReactions,
  heldAppends,
} from '../support/application/world.js';
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
import { openInMemory, failed, succeeded, until, failingStore } from '../support/event-store/stores.js';
import { proposed } from '../support/video-events.js';
import { booksOf } from '../support/credit-world.js';

type Write = (place: World, request: RequestContext) => TE.TaskEither<{ readonly _tag: string }, unknown>;

const [v, a] = [videoId('v'), audioId('v')];

/** The kinds of writes that differ in what a repetition meets, with their preconditions. */
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
  'a grant': [
    async () => undefined,
    ({ app }, request) => bookCredits(app, request, accountId('owner'), credits('5'), 'top-up'),
  ],
  'a commit of faces': [
    (place) => completedMedia(place, 'v'),
    ({ app }, request) =>
      matchFaces(app, request, v, [{ face_id: faceId(1), speaker_id: speakerId(1), name: 'Ann Example' }]),
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

const kept = { stored: () => ({ body: '{}', headers: {}, secret_of: null }) };

/** Where work waits until it is let through. */
const gate = () => {
  let [arrive, open] = [constVoid, constVoid];
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { reached, open: () => open(), pass };
};

describe('a write with an idempotency key that another instance took over', () => {
  it('is answered by that one, although the slow one is refused meanwhile, and takes effect once', async () => {
    const { store, close } = await openInMemory();
    const [first, second] = [world(store, 'first'), world(store, 'second')];
    const keyOf = (place: World, instance: string) =>
      keyedWrites(place.app, instanceId(instance))(place.request(), 'key', 'digest');
    const [slow, taken] = [gate(), gate()];
    const notNow = pipe(
      TE.fromTask(slow.pass),
      TE.chainW(() => TE.left({ _tag: 'NotNow' as const })),
    );
    const refused = failed(keyOf(first, 'i').once({ run: () => notNow, ...kept }));
    await slow.reached;
    second.pass(31);
    const grant = (request: RequestContext) => bookCredits(second.app, request, accountId('owner'), credits('5'), 'x');
    const granting = (request: RequestContext) =>
      pipe(
        TE.fromTask(taken.pass),
        TE.chainW(() => grant(request)),
      );
    const served = succeeded(keyOf(second, 'j').once({ run: granting, ...kept }));
    await taken.reached;
    slow.open();
    expect(await refused).to.deep.equal({ _tag: 'NotNow' });
    taken.open();
    expect((await served).kind).to.equal('new');
    expect((await succeeded(keyOf(second, 'j').once({ run: grant, ...kept }))).kind).to.equal('stored');
    const { events } = await succeeded(store.readAll(null, { categories: ['creditAccount'] }, 9));
    expect(events).to.have.length(1);
    await close();
  });
});

const Names = t.type({ run_id: t.string, results: t.unknown });

/** A request with an idempotency key, as the endpoint serves it. The answer, and whether it is a stored one. */
const inferOnce = (place: World, instance: string, inference: NameInference, asked: NameRequest) =>
  pipe(
    keyedWrites(place.app, instanceId(instance))(place.request(), 'key', 'digest').once({
      run: (request) => inferNames(place.app, inference, request, asked),
      stored: ({ run_id, results }) => ({ body: JSON.stringify({ run_id, results }), headers: {}, secret_of: null }),
      interrupted: (id) => interruptedRun(place.app, place.request(), runId(id)),
      abandoned_after_seconds: 65,
    }),
    TE.map((served) => {
      const body: unknown = served.kind === 'new' ? served.answer : JSON.parse(served.answer.body);
      if (!Names.is(body)) throw new Error('the answer has another shape');
      return { run_id: body.run_id, results: body.results, replayed: served.kind === 'stored' };
    }),
  );

/** Longer than the model's time limit plus the time to store the answer. */
const overdue = 70;

const setUp = async () => {
  const { store, close } = await openInMemory();
  const other = world(store, 'the other instance');
  await succeeded(registerAudio(other.app, other.request(), audio('a')));
  await recordAdaSpeaking(other, 'a');
  return { store, close, other, nameRequest: await requestForAda(other, 'a', 'suggest') };
};

describe('a repetition that read its key before the first request claimed it', () => {
  it('gets the answer of the first request, although the credits are used up by then', async () => {
    const { close, other, nameRequest } = await setUp();
    await succeeded(bookCredits(other.app, other.request(), accountId('owner'), credits('-9.99'), 'spent'));
    const [first, second] = [inferenceOfAda(), inferenceOfAda()];
    const { load } = other.app.idempotencyKeys;
    const runs: string[] = [];
    const overtaken: typeof load = (id) => async () => {
      const before = await load(id)();
      if (runs.length === 0) {
        runs.push('under way');
        const { run_id } = await succeeded(inferOnce(other, 'i', first.inference, nameRequest));
        runs.push(run_id);
      }
      return before;
    };
    const keys = { ...other.app.idempotencyKeys, load: overtaken };
    const late = { ...other, app: { ...other.app, idempotencyKeys: keys } };
    const { run_id, replayed } = await succeeded(inferOnce(late, 'j', second.inference, nameRequest));
    expect([run_id, replayed, second.calls()]).to.deep.equal([runs[1], true, 0]);
    await close();
  });
});

describe('a run whose idempotency key another run took over', () => {
  it('is never charged if it was paused before its first event, and answers with the result of the other', async () => {
    const { store, close, other, nameRequest } = await setUp();
    const pausing = heldAppends(store, (stream) => stream.startsWith('nameInference-'));
    const paused = world(pausing.store, 'the paused instance');
    const [first, second] = [inferenceOfAda(), inferenceOfAda()];
    const late = succeeded(inferOnce(paused, 'i', first.inference, nameRequest));
    await until('it is paused', () => pausing.held() > 0);
    other.pass(overdue);
    const taken = await succeeded(inferOnce(other, 'j', second.inference, nameRequest));
    pausing.release();
    const { run_id, results, replayed } = await late;
    expect([first.calls(), second.calls()]).to.deep.equal([0, 1]);
    expect({ run_id, results, replayed }).to.deep.equal({
      run_id: taken.run_id,
      results: taken.results,
      replayed: true,
    });
    await runReactions(other.app);
    const { entries, account } = await booksOf(store, 'owner');
    expect(account.holds).to.deep.equal([]);
    expect(entries.flatMap((entry) => (entry.kind === 'charge' ? [entry.run_id] : []))).to.deep.equal([taken.run_id]);
    await close();
  });

  it('is not taken over while it cannot be recorded as abandoned', async () => {
    const { store, close, other, nameRequest } = await setUp();
    const pausing = heldAppends(store, (stream) => stream.startsWith('nameInference-'));
    const paused = world(pausing.store, 'the paused instance');
    const late = succeeded(inferOnce(paused, 'i', inferenceOfAda().inference, nameRequest));
    await until('it is paused', () => pausing.held() > 0);
    const failing = failingStore(store);
    const cutOff = world(failing.store, 'a cut-off instance');
    cutOff.pass(overdue);
    failing.failAfter(0);
    const { inference, calls } = inferenceOfAda();
    const refusal = await failed(inferOnce(cutOff, 'j', inference, nameRequest));
    expect(refusal).to.include({ _tag: 'StoreUnavailable' });
    expect(calls()).to.equal(0);
    pausing.release();
    expect(await late).to.include({ replayed: false });
    expect((await logOf(other)).filter((line) => line.endsWith('NameInferenceAnswered.v1'))).to.have.length(1);
    await close();
  });
});
