import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { revertMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { isRealName } from '../../domain/kernel/names.js';
import type { Face, OpenRun, RegisteredVideo } from '../../domain/video/state.js';
import { isInFlight } from '../../domain/video/write-back.js';
import { requestsTo } from '../support/application/requests.js';
import {
  type World,
  audio,
  audioState,
  foundFaces,
  foundSpeakers,
  recordAudioAnalysis,
  recordVideoAnalysis,
  runReactions,
  video,
  videoState,
  world,
} from '../support/application/world.js';
import { type FailingStore, failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';
import { audioId, faceId, runId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

const ids = [0, 1, 2, 3];
const id = fc.constantFrom(...ids);
const realNames = ['Ann', 'Bob', 'Cy'];
const does = <Do extends string>(what: Do): fc.Arbitrary<Do> => fc.constant(what);
const weighted = <Step>(weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

type Pair = readonly [face: number, speaker: number];
const distinctPairs = fc
  .tuple(fc.shuffledSubarray(ids, { minLength: 1, maxLength: 3 }), fc.shuffledSubarray(ids, { minLength: 4 }))
  .map(([faces, speakers]): ReadonlyArray<Pair> => faces.map((face, index) => [face, speakers[index] ?? 0]));
const pairs = fc.oneof(
  weighted(9, distinctPairs),
  weighted(
    1,
    fc.array(fc.tuple(id, id), { maxLength: 3 }).map((all): ReadonlyArray<Pair> => all),
  ),
);
/** A run by the number of runs since it; null: the worker knows no run ids. */
const ago = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
const status = fc.constantFrom<'processing' | 'completed'>('completed', 'completed', 'completed', 'processing');
const somebody = fc.record({ id, name: fc.constantFrom(null, ' ', 'SPEAKER_01', ...realNames) });
const some = fc.uniqueArray(somebody, { selector: (one) => one.id, minLength: 3 });
const named = { id, name: fc.constantFrom('Face 7', ...realNames) };

const anyStep = fc.oneof(
  weighted(
    6,
    fc.record({
      do: does('trigger'),
      mode: fc.constantFrom<'suggest' | 'commit'>('suggest', 'commit'),
      targets: fc.oneof(weighted(4, fc.constant(null)), weighted(1, fc.subarray(ids, { maxLength: 2 }))),
    }),
  ),
  weighted(
    8,
    fc.record({
      do: does('answer'),
      ago: fc.oneof(fc.constant(null), ago),
      failed: fc.constantFrom(false, false, false, true),
      pairs,
      accuracy: fc.constantFrom(0.5, 0.9),
    }),
  ),
  weighted(
    2,
    fc.record({ do: does('map'), pairs, names: fc.array(fc.constantFrom(null, ' ', ...realNames), { minLength: 4 }) }),
  ),
  fc.record({ do: does('name face'), ...named }),
  fc.record({ do: does('name speaker'), ...named }),
  weighted(3, fc.record({ do: does('revert'), ago })),
  fc.record({ do: does('analyse faces'), status, some }),
  fc.record({ do: does('analyse speakers'), status, some }),
  weighted(4, fc.record({ do: does('pass'), seconds: fc.constantFrom(1, 450, 899, 900, 901) })),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Of> ? Of : never;

const everybody = (...names: ReadonlyArray<string | null>) => names.map((name, one) => ({ id: one, name }));
const beginning: ReadonlyArray<Step> = [
  { do: 'analyse faces', status: 'completed', some: everybody(null, 'Ann', null, null) },
  { do: 'analyse speakers', status: 'completed', some: everybody('Bob', null, 'SPEAKER_01', 'Cy') },
];

/** A video with its audio, and the runs that were triggered. */
interface Place extends World {
  readonly name: string;
  readonly runs: RunId[];
}

const runOf = ({ runs }: Place, since: number | null): RunId | undefined =>
  since === null ? undefined : runs.at(-1 - since);

const answered = async <A>(
  work: TE.TaskEither<{ readonly _tag: string }, A>,
  answerOf: (value: A) => string = () => 'done',
): Promise<string> => {
  const outcome = await work();
  return E.isLeft(outcome) ? `refused: ${outcome.left._tag}` : answerOf(outcome.right);
};

const perform = async (place: Place, step: Step): Promise<string> => {
  const { app, request, name, runs, pass } = place;
  const ask = requestsTo(place, request(), name);
  switch (step.do) {
    case 'trigger':
      return answered(ask.trigger(step.mode, step.targets), ({ run_id }) => `run ${runs.push(run_id)}`);
    case 'answer': {
      const matches = step.pairs.map(([face, speaker]) => proposed(face, speaker, step.accuracy));
      const answer = ask.answer(runOf(place, step.ago) ?? null, step.failed ? null : matches);
      return answered(answer, (receipt) => receipt.status);
    }
    case 'map':
      return answered(
        ask.match(...step.pairs.map(([face, speaker], index) => [face, speaker, step.names[index] ?? null] as const)),
      );
    case 'name face':
      return answered(ask.nameFace(step.id, step.name));
    case 'name speaker':
      return answered(ask.nameSpeaker(step.id, step.name));
    case 'revert':
      return answered(
        revertMatchRun(app, request(), videoId(name), runOf(place, step.ago) ?? runId('none'), false),
        ({ reverted }) => `reverted ${reverted.length}`,
      );
    case 'analyse faces': {
      const { faces } = foundFaces(step.some.map((one) => [one.id, one.name]));
      return answered(recordVideoAnalysis(app, request(), videoId(name), { status: step.status, faces }));
    }
    case 'analyse speakers': {
      const found = foundSpeakers(
        step.some.map((one) => [one.id, one.name]),
        { status: step.status },
      );
      return answered(recordAudioAnalysis(app, request(), audioId(name), found));
    }
    case 'pass':
      pass(step.seconds);
      return 'done';
  }
};

interface Seen {
  readonly video: RegisteredVideo;
  readonly audio: RegisteredAudio;
  readonly head: string | null;
}

const look = async (place: Place): Promise<Seen> => ({
  video: await videoState(place, place.name),
  audio: await audioState(place, place.name),
  head: await succeeded(place.app.store.head()),
});

const facesIn = ({ video }: Seen): ReadonlyArray<Face> => [...video.faces.values()];
const matchesIn = (seen: Seen): ReadonlyArray<string> =>
  facesIn(seen).flatMap(({ face_id, speaker_id }) => (speaker_id === null ? [] : [`${face_id} ${speaker_id}`]));
/** The matches of people, which have no accuracy. */
const confirmedIn = (seen: Seen): ReadonlyArray<Face> =>
  facesIn(seen).filter(({ speaker_id, accuracy }) => speaker_id !== null && accuracy === null);
const shownFaces = (seen: Seen): string =>
  JSON.stringify(
    facesIn(seen).map((face) => [face.face_id, face.name, face.speaker_id, face.accuracy, face.personality_traits]),
  );
const isOpen = (runs: ReadonlyArray<OpenRun>, run: RunId | undefined): boolean =>
  runs.some(({ run_id, superseded }) => run_id === run && !superseded);
const keepsNames = (before: Seen, after: Seen): boolean =>
  facesIn(before).every(({ face_id, name, named_by }) => {
    const now = after.video.faces.get(face_id);
    return named_by !== 'person' || !isRealName(name, named_by) || now === undefined || now.name === name;
  });
const keepsMatches = (before: Seen, after: Seen): boolean =>
  confirmedIn(before).every(({ face_id, speaker_id }) =>
    confirmedIn(after).some((face) => face.face_id === face_id && face.speaker_id === speaker_id),
  );
const has = (seen: Seen, step: { readonly pairs: ReadonlyArray<Pair> }): boolean =>
  step.pairs.every(([face, speaker]) => matchesIn(seen).includes(`${face} ${speaker}`));

type Rules = Readonly<Record<string, boolean>>;

/** What holds of a write-back, by section 3 and the contract. */
const rulesOfAnswer = (
  place: Place,
  step: Extract<Step, { readonly do: 'answer' }>,
  answer: string,
  before: Seen,
  after: Seen,
): Rules => {
  const run = runOf(place, step.ago);
  const open = before.video.open_runs.find(({ run_id }) => run_id === run);
  const isUntouched = shownFaces(before) === shownFaces(after);
  const suggests = run === undefined ? before.video.match.mode === 'suggest' : open?.mode === 'suggest';
  const isPlain = open?.assumed === null;
  return {
    'only an open run takes its answer, once':
      run === undefined || (answer === 'ignored') !== isOpen(before.video.open_runs, run),
    'an answered run is open no more':
      run === undefined || answer.startsWith('refused') || !isOpen(after.video.open_runs, run),
    'an answer that is ignored changes neither faces nor status':
      answer !== 'ignored' || (isUntouched && before.video.match === after.video.match),
    'the mode decides: of the run, or without a run id the stored one':
      !['stored', 'committed'].includes(answer) || (answer === 'stored') === suggests,
    'suggestions and failures change no face, unless an assumed answer is taken back':
      answer === 'committed' || isUntouched || (answer === 'failed' && open?.assumed !== null),
    'suggestions complete the status': answer !== 'stored' || after.video.match.status === 'completed',
    'a worker without run ids is believed to the letter':
      run !== undefined || answer !== 'committed' || has(after, step),
    'a run keeps what people matched': run === undefined || keepsMatches(before, after),
    'a run keeps the names that people gave': !isPlain || keepsNames(before, after),
  };
};

const rulesOf = (place: Place, step: Step, answer: string, before: Seen, after: Seen): Rules => {
  const isDone = !answer.startsWith('refused');
  switch (step.do) {
    case 'trigger': {
      const wasInFlight = isInFlight(before.video.match, place.request().at, place.app.stale_seconds);
      const newest = after.video.open_runs.filter(({ superseded }) => !superseded);
      return {
        'a run in flight refuses another': !(wasInFlight && isDone),
        'no other run is refused for it': wasInFlight || answer !== 'refused: RunInFlight',
        'it supersedes all others': !isDone || newest.every(({ run_id }) => run_id === place.runs.at(-1)),
        'it keeps what people did': keepsMatches(before, after) && keepsNames(before, after),
        'a run that names do not resolve, and that suggests, is in flight':
          !isDone || step.mode === 'commit' || newest.length === 0 || after.video.match.status === 'queue',
      };
    }
    case 'answer':
      return rulesOfAnswer(place, step, answer, before, after);
    case 'map':
      return {
        'it commits what it says': !isDone || has(after, step),
        'a name that it gives is that of face and speaker': step.pairs.every(([face, speaker], index) => {
          const name = step.names[index] ?? null;
          if (!isDone || name === null || name.trim() === '') return true;
          const [shown, heard] = [after.video.faces.get(faceId(face)), after.audio.speakers.get(speakerId(speaker))];
          return shown?.name === name && heard?.name === name;
        }),
      };
    case 'name speaker': {
      const [was, is] = [before, after].map((seen) => seen.audio.speakers.get(speakerId(step.id))?.name);
      const face = facesIn(after).find(({ speaker_id }) => speaker_id === step.id);
      return { 'its face gets the new name': was === is || face === undefined || face.name === step.name };
    }
    case 'analyse faces':
      return { 'it keeps the names that people gave': keepsNames(before, after) };
    default:
      return {};
  }
};

/** The rules of every step, and of this one, that do not hold. */
const broken = (...[place, step, answer, before, after]: Parameters<typeof rulesOf>): ReadonlyArray<string> => {
  const held = facesIn(after).flatMap(({ speaker_id }) => speaker_id ?? []);
  const rules: Rules = {
    'a speaker has at most one face': new Set(held).size === held.length,
    'a face has a speaker of the audio': held.every((one) => after.audio.speakers.has(one)),
    'one run at most awaits its answer': after.video.open_runs.filter(({ superseded }) => !superseded).length <= 1,
    'what is refused writes nothing': !answer.startsWith('refused') || before.head === after.head,
    ...rulesOf(place, step, answer, before, after),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]));
};

/** What must not depend on when reactions are run: all but ids. */
const outcomeOf = ({ video: { match, faces, open_runs }, audio: { speakers } }: Seen) => ({
  match: { ...match, run_id: null },
  open: open_runs.map(({ mode, superseded, queued_at }) => ({ mode, superseded, queued_at })),
  faces: [...faces.values()].map((face) => ({ ...face, named_at: null })),
  speakers: [...speakers.values()],
});

/** The same step where the process dies after each decision, before its reactions, which are made up for later. */
const performDying = async (place: Place, step: Step, failing: FailingStore): Promise<string> => {
  const before = await succeeded(place.app.store.head());
  if (!step.do.startsWith('analyse')) failing.failAfter(1);
  const answer = await perform(place, step);
  failing.recover();
  await runReactions(place.app, before);
  return answer;
};

const opened = async (on: World, name: string): Promise<Place> => {
  await succeeded(registerVideo(on.app, on.request(), video(name)));
  await succeeded(registerAudio(on.app, on.request(), audio(name, name)));
  return { ...on, name, runs: [] };
};

describe('match runs, for any order of requests (section 3 and the contract)', function () {
  this.timeout(300_000);

  it('follow the rules after each; a process that dies before its reactions ends up the same, and has nothing left to do', async () => {
    const [steady, mortal] = [await openInMemory(), await openInMemory()];
    const failing = failingStore(mortal.store);
    const worlds = [world(steady.store), world(failing.store)] as const;
    let sequence = 0;
    const check = async (steps: ReadonlyArray<Step>): Promise<void> => {
      const name = `v${(sequence += 1)}`;
      const [place, dying] = [await opened(worlds[0], name), await opened(worlds[1], name)];
      const start = await succeeded(steady.store.head());
      for (const step of [...beginning, ...steps]) {
        const before = await look(place);
        const answer = await perform(place, step);
        const after = await look(place);
        expect(broken(place, step, answer, before, after)).to.deep.equal([]);
        expect(await performDying(dying, step, failing)).to.equal(answer);
        expect(outcomeOf(await look(dying))).to.deep.equal(outcomeOf(after));
        worlds.forEach(({ pass }) => pass(0.001));
      }
      const end = await succeeded(steady.store.head());
      await runReactions(place.app, start);
      expect(await succeeded(steady.store.head())).to.equal(end);
    };
    const sequences = fc.asyncProperty(fc.array(anyStep, { maxLength: 24, size: 'max' }), check);
    await fc.assert(sequences, { numRuns: shortOrLong(150, 2_500) });
    await Promise.all([steady.close(), mortal.close()]);
  });

  it('that answered are undone by a revert right after, unless an assumed answer came before', async () => {
    const { store, close } = await openInMemory();
    const on = world(store);
    let sequence = 0;
    const check = async (steps: ReadonlyArray<Step>, matched: ReadonlyArray<Pair>): Promise<void> => {
      const place = await opened(on, `v${(sequence += 1)}`);
      for (const step of [...beginning, ...steps]) await perform(place, step);
      const before = await look(place);
      const answer = { do: 'answer', ago: 0, failed: false, pairs: matched, accuracy: 0.5 } as const;
      const isPlain = before.video.open_runs.at(-1)?.assumed === null;
      if ((await perform(place, answer)) !== 'committed' || !isPlain) return;
      const isChanged = shownFaces(await look(place)) !== shownFaces(before);
      const reverted = await perform(place, { do: 'revert', ago: 0 });
      expect(reverted.startsWith('reverted')).to.equal(isChanged);
      expect(shownFaces(await look(place))).to.equal(shownFaces(before));
    };
    const trigger = { do: 'trigger', mode: 'commit', targets: null } as const;
    const beforeIt = fc.array(anyStep, { maxLength: 12, size: 'max' }).map((steps) => [...steps, trigger]);
    await fc.assert(fc.asyncProperty(beforeIt, distinctPairs, check), { numRuns: shortOrLong(100, 1_000) });
    await close();
  });
});
