import * as fc from 'fast-check';
import {
  revertMatchRun,
  queueMatchRun,
  receiveWriteBack,
} from '../../../application/use-cases/match-runs/match-runs.js';
import { renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { Mapping } from '../../../domain/video/contract.js';
import { faceId, personName, runId, speakerId } from '../values.js';
import { proposed } from '../video-events.js';
import { adopted, anonymousAnswer, ownAnswer, repetition, reverted, triggered, unknownId } from './runs.js';
import {
  type Answer,
  type Model,
  type Outcome,
  type Pair,
  done,
  isBlank,
  linkFaces,
  realNames,
  refused,
  staleAfter,
} from './model.js';
import { anyAnalysis } from './analyses.js';
import { type Step, ids, step } from './step.js';
import { type Subject, answerOf, numberOf } from './subject.js';

const passing = (what: string, values: fc.Arbitrary<number>, passes: (given: number) => Step['passes']) =>
  values.map((given): Step => ({
    what: `${what} ${given}`,
    kind: 'time',
    passes: passes(given),
    predict: () => done,
    perform: () => Promise.resolve({ tag: 'done' }),
  }));

const id = fc.constantFrom(...ids);
const mode = fc.constantFrom<'suggest' | 'commit'>('suggest', 'commit');
const zipped = fc
  .tuple(fc.shuffledSubarray(ids, { minLength: 1 }), fc.shuffledSubarray(ids, { minLength: 4 }))
  .map(([faces, speakers]) => faces.map((face, index): Pair => [face, speakers[index] ?? 0]));
const anyPairs = fc.array(fc.tuple(id, id), { maxLength: 3 });
const pairs: fc.Arbitrary<ReadonlyArray<Pair>> = fc.oneof(
  { weight: 9, arbitrary: zipped },
  { weight: 1, arbitrary: anyPairs },
);
/** A run is given by the number of runs since it. */
const runsAgo = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);

/** The index of the run `ago` runs before the newest; -1 if there is none. */
const runAgo = (runs: ReadonlyArray<unknown>, ago: number | null): number =>
  ago === null ? -1 : runs.length - 1 - ago;

const targets = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.subarray(ids, { maxLength: 2 }) },
);
const trigger = step('trigger', fc.record({ mode, targets }), ({ mode, targets }) => ({
  predict: (model, now) => triggered(model, mode, targets, now),
  perform: (subject) =>
    answerOf(
      queueMatchRun(subject.app, subject.request(), subject.video_id, mode, targets?.map(speakerId) ?? null),
      ({ run_id }) => ({ tag: 'queued', run: numberOf(subject, run_id) }),
    ),
}));

const sent = fc.record({
  ago: fc.oneof(fc.constant(null), runsAgo),
  failed: fc.constantFrom(false, false, false, true),
  matches: pairs,
  accuracy: fc.constantFrom(0.5, 0.9),
});
const answer = step('answer', sent, ({ ago, ...given }) => ({
  predict: (model, now) => {
    const index = runAgo(model.runs, ago);
    const run = model.runs[index];
    return run === undefined ? anonymousAnswer(model, given, now) : ownAnswer(model, index, run, given, now);
  },
  perform: (subject) => {
    const id = subject.runs[runAgo(subject.runs, ago)];
    const matches = given.matches.map(([face, speaker]) => proposed(face, speaker, given.accuracy));
    return answerOf(
      receiveWriteBack(
        subject.app,
        subject.request(),
        subject.video_id,
        id === undefined ? null : runId(id),
        given.failed ? { status: 'failed', error: 'broken' } : { status: 'completed', matches, unmatched_speakers: [] },
      ),
      ({ status, run_id, reason }) => {
        const run = run_id === null ? null : numberOf(subject, run_id);
        return { tag: 'received', status, run, reason };
      },
    );
  },
}));

/** PUT speaker-face-match, section 4.1. */
const mapped = (model: Model, pairs: ReadonlyArray<Pair>, names: ReadonlyArray<string | null>): Outcome => {
  if (pairs.length === 0) return refused('EmptyMappings');
  const repeated = repetition(pairs);
  if (repeated !== null) return refused(repeated);
  if (model.videoStatus !== 'completed') return refused('VideoUnprocessed');
  const unknown = unknownId(model, pairs);
  if (unknown !== null) return refused(unknown);
  const links = pairs.map(([face, speaker], index) => {
    const given = names[index] ?? null;
    const named = isBlank(given) ? adopted(model, face, speaker) : { name: given, by: 'person' as const };
    return { face, speaker, accuracy: null, ...named, given };
  });
  linkFaces(model, links);
  for (const { speaker, given } of links) {
    const known = model.speakers.get(speaker);
    if (known !== undefined && !isBlank(given)) Object.assign(known, { name: given, by: 'person' });
  }
  return done;
};

const performMap = ({ app, request, video_id }: Subject, mappings: ReadonlyArray<Mapping>): Promise<Answer> =>
  answerOf(matchFaces(app, request(), video_id, mappings));

const someNames = fc.array(fc.constantFrom(null, '', ' ', ...realNames), { minLength: 4, maxLength: 4 });
const map = step('map', fc.record({ pairs, names: someNames }), ({ pairs, names }) => ({
  predict: (model) => mapped(model, pairs, names),
  perform: (subject) =>
    performMap(
      subject,
      pairs.map(([face, speaker], index) => ({
        face_id: faceId(face),
        speaker_id: speakerId(speaker),
        name: names[index] ?? null,
      })),
    ),
}));

/** Sends the stored block back unchanged. */
const mapBlock = step('map block', fc.constant({}), () => ({
  predict: (model) => {
    const block = model.block ?? [];
    return mapped(
      model,
      block.map(({ face, speaker }): Pair => [face, speaker]),
      block.map(({ name }) => name),
    );
  },
  perform: (subject) => performMap(subject, (subject.block()?.mappings ?? []).filter(Mapping.is)),
}));

const renamedFace = (model: Model, id: number, name: string): Outcome => {
  const face = model.faces.get(id);
  if (face === undefined) return refused('InvalidFace');
  Object.assign(face, { name, by: 'person' });
  return done;
};

/** A rename of a speaker also renames its matched face; a claim of a name only a face with that name. */
const renamedSpeaker = (model: Model, id: number, name: string): Outcome => {
  const speaker = model.speakers.get(id);
  if (speaker === undefined || (speaker.name === name && speaker.by === 'person')) return done;
  const claimed = speaker.name === name;
  Object.assign(speaker, { name, by: 'person' });
  for (const face of model.faces.values())
    if (face.speaker === id && (!claimed || face.name === name)) renamedFace(model, face.id, name);
  return done;
};

const named = fc.record({ id, name: fc.constantFrom('Face 7', ...realNames) });
const renameFace = step('rename face', named, ({ id, name }) => ({
  predict: (model) => renamedFace(model, id, name),
  perform: ({ app, request, video_id }) => {
    const faces = [{ face_id: faceId(id), name: personName(name) }];
    return answerOf(app.perform(request(), 'videos', video_id, { type: 'RenameFaces', faces, at: request().at }));
  },
}));
const renameSpeaker = step('rename speaker', named, ({ id, name }) => ({
  predict: (model) => renamedSpeaker(model, id, name),
  perform: ({ app, request, audio_id }) =>
    answerOf(renameSpeakers(app, request(), audio_id, [{ speaker_id: speakerId(id), name: personName(name) }])),
}));

const revert = step('revert', runsAgo, (ago) => ({
  predict: (model) => {
    const run = model.runs[runAgo(model.runs, ago)];
    return run === undefined ? done : reverted(model, run);
  },
  perform: async ({ app, request, video_id, runs }) => {
    const id = runs[runAgo(runs, ago)];
    if (id === undefined) return { tag: 'done' };
    return answerOf(
      revertMatchRun(app, request(), video_id, runId(id), false),
      ({ reverted, changed_since }): Answer => ({
        tag: 'reverted',
        faces: [...reverted].sort((a, b) => a - b),
        left: [...changed_since].sort((a, b) => a - b),
      }),
    );
  },
}));

const recordTraits = step('record traits', fc.record({ id, traits: fc.constantFrom(3, 4) }), ({ id, traits }) => ({
  predict: (model) => {
    const face = model.faces.get(id);
    if (face === undefined) return refused('InvalidFace');
    face.traits = traits;
    return done;
  },
  perform: ({ app, request, video_id }) => {
    const given = { face_id: faceId(id), personality_traits: { value: traits } };
    return answerOf(app.perform(request(), 'videos', video_id, { type: 'RecordPersonalityTraits', ...given }));
  },
}));

const pass = passing('pass', fc.constantFrom(1_000, 450_000, 899_000, 900_000, 901_000), (given) => () => given);
/** To the end of the newest trigger's stale window, or a millisecond beside it. */
const passToTheEdge = passing(
  'pass to the edge',
  fc.constantFrom(-1, 0, 1),
  (beside) => (model, now) => Math.max(0, (model.runs.at(-1)?.queuedAt ?? now) + staleAfter + beside - now),
);

/** Random steps, those about runs more often than others. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: trigger },
  { weight: 8, arbitrary: answer },
  { weight: 2, arbitrary: map },
  { weight: 1, arbitrary: mapBlock },
  { weight: 1, arbitrary: renameFace },
  { weight: 1, arbitrary: renameSpeaker },
  { weight: 3, arbitrary: revert },
  { weight: 2, arbitrary: anyAnalysis },
  { weight: 1, arbitrary: recordTraits },
  { weight: 2, arbitrary: pass },
  { weight: 3, arbitrary: passToTheEdge },
);
