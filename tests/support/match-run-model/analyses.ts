import * as fc from 'fast-check';
import { foundFaces, foundSpeakers, recordAudioAnalysis, recordVideoAnalysis } from '../application/world.js';
import { type Model, type Outcome, done, isBlank, isReal, noteRemoval, realNames } from './model.js';
import { type Step, ids, step } from './step.js';
import { answerOf } from './subject.js';

const names = fc.constantFrom(null, ' ', 'SPEAKER_01', ...realNames);

interface AnalysedFaces {
  readonly status: 'processing' | 'completed';
  readonly faces: ReadonlyArray<{
    readonly id: number;
    readonly name: string | null;
    readonly traits: number | undefined;
  }>;
}

/** An analysis replaces faces, and keeps names and matches of those that remain. */
const analysedFaces = (model: Model, given: AnalysedFaces, now: number): Outcome => {
  const { status, faces } = given;
  if (model.lastVideoAnalysis === JSON.stringify(given)) return done;
  model.lastVideoAnalysis = JSON.stringify(given);
  model.videoStatus = status;
  for (const { id, name, traits } of faces) {
    const known = model.faces.get(id);
    const label = isBlank(name) ? `Face ${id}` : name;
    if (known === undefined) {
      const unmatched = { speaker: null, accuracy: null, traits: traits ?? null };
      model.faces.set(id, { id, name: label, by: 'analysis', ...unmatched });
      continue;
    }
    if (traits !== undefined) known.traits = traits;
    const keeps = isReal(known.name, known.by) && (known.by !== 'analysis' || !isReal(name));
    if (!keeps && known.name !== label) Object.assign(known, { name: label, by: 'analysis' });
  }
  if (status !== 'completed') return done;
  const removed = [...model.faces.keys()].filter((id) => faces.every((face) => face.id !== id));
  removed.forEach((id) => model.faces.delete(id));
  noteRemoval(model, { faces: removed, speakers: [], at: now });
  return done;
};

export const analyseFaces = (values: fc.Arbitrary<AnalysedFaces>): fc.Arbitrary<Step> =>
  step(
    'analyse faces',
    values,
    (given) => ({
      predict: (model, now) => analysedFaces(model, given, now),
      perform: ({ app, request, video_id }) => {
        const faces = given.faces.flatMap(({ id, name, traits }) => {
          const personality_traits = traits === undefined ? undefined : { value: traits };
          return foundFaces([[id, name]], { personality_traits }).faces;
        });
        return answerOf(recordVideoAnalysis(app, request(), video_id, { status: given.status, faces }));
      },
    }),
    'analysis',
  );

interface AnalysedSpeakers {
  readonly status: 'processing' | 'completed';
  readonly speakers: ReadonlyArray<{ readonly id: number; readonly name: string | null }>;
}

const analysedSpeakers = (model: Model, given: AnalysedSpeakers, now: number): Outcome => {
  const { status, speakers } = given;
  if (model.lastAudioAnalysis === JSON.stringify(given)) return done;
  model.lastAudioAnalysis = JSON.stringify(given);
  model.audioStatus = status;
  for (const { id, name } of speakers) {
    const known = model.speakers.get(id);
    if (known === undefined) model.speakers.set(id, { id, name: isBlank(name) ? null : name, by: 'analysis' });
    else if (known.by !== 'person' && (isReal(name) || !isReal(known.name))) known.name = isBlank(name) ? null : name;
  }
  if (status !== 'completed') return done;
  const removed = [...model.speakers.keys()].filter((id) => speakers.every((speaker) => speaker.id !== id));
  removed.forEach((id) => model.speakers.delete(id));
  for (const face of model.faces.values())
    if (face.speaker !== null && !model.speakers.has(face.speaker))
      Object.assign(face, { speaker: null, accuracy: null, traits: null });
  noteRemoval(model, { faces: [], speakers: removed, at: now });
  return done;
};

export const analyseSpeakers = (values: fc.Arbitrary<AnalysedSpeakers>): fc.Arbitrary<Step> =>
  step(
    'analyse speakers',
    values,
    (given) => ({
      predict: (model, now) => analysedSpeakers(model, given, now),
      perform: ({ app, request, audio_id }) => {
        const speakers = given.speakers.map(({ id, name }) => [id, name] as const);
        return answerOf(
          recordAudioAnalysis(app, request(), audio_id, foundSpeakers(speakers, { status: given.status })),
        );
      },
    }),
    'analysis',
  );

const status = fc.constantFrom<'processing' | 'completed'>('completed', 'completed', 'completed', 'processing');
const traits = fc.constantFrom(undefined, undefined, 1, 2);
const someFaces = fc
  .subarray(ids, { minLength: 2 })
  .chain((some) => fc.tuple(...some.map((id) => fc.record({ id: fc.constant(id), name: names, traits }))));
const someSpeakers = fc
  .subarray(ids, { minLength: 3 })
  .chain((some) => fc.tuple(...some.map((id) => fc.record({ id: fc.constant(id), name: names }))));

/** Analyses of everybody or of some, mostly completed. */
export const anyAnalysis: fc.Arbitrary<Step> = fc.oneof(
  analyseFaces(fc.record({ status, faces: someFaces })),
  analyseSpeakers(fc.record({ status, speakers: someSpeakers })),
);
