import { expect } from 'chai';
import * as fc from 'fast-check';
import { runReactions, type World, world } from '../support/application/world.js';
import { type FailingStore, failingStore, openInMemory, succeeded } from '../support/event-store/stores.js';
import { type Answer, type Model, emptyModel, seenOf } from '../support/match-run-model/model.js';
import { analyseFaces, analyseSpeakers } from '../support/match-run-model/analyses.js';
import type { Step } from '../support/match-run-model/step.js';
import { anyStep } from '../support/match-run-model/steps.js';
import { type Subject, openSubject } from '../support/match-run-model/subject.js';
import { shortOrLong } from '../support/long-form.js';

const sequences = Number(process.env['PROPERTY_SEQUENCES'] ?? shortOrLong(200, 2_500));
/** To replay a failure: its seed and path, as its report prints them. */
const replay = {
  ...(process.env['PROPERTY_SEED'] === undefined ? {} : { seed: Number(process.env['PROPERTY_SEED']) }),
  ...(process.env['PROPERTY_PATH'] === undefined ? {} : { path: process.env['PROPERTY_PATH'] }),
};

const firstFaces = [
  { id: 0, name: null, traits: 1 },
  { id: 1, name: 'Ann', traits: 2 },
  { id: 2, name: null, traits: undefined },
];
const firstSpeakers = [
  { id: 0, name: 'Bob' },
  { id: 1, name: null },
  { id: 2, name: 'SPEAKER_01' },
];
const beginning = fc.tuple(
  analyseFaces(fc.constant({ status: 'completed', faces: firstFaces })),
  analyseSpeakers(fc.constant({ status: 'completed', speakers: firstSpeakers })),
);

/** How a request ends: it is answered, or the process dies after the decision and before its reactions. */
type Fate = (subject: Subject, step: Step) => Promise<Answer>;

const answered: Fate = (subject, { perform }) => perform(subject);

const crashing =
  (failing: FailingStore): Fate =>
  async (subject, { kind, perform }) => {
    const { app } = subject;
    const before = await succeeded(app.store.head());
    if (kind !== 'analysis') failing.failAfter(1);
    const answer = await perform(subject);
    failing.recover();
    await runReactions(app, before);
    return answer;
  };

const takeStep = async (
  { pass, now }: World,
  subject: Subject,
  model: Model,
  step: Step,
  fate: Fate,
): Promise<void> => {
  const milliseconds = (): number => Math.round(now() * 1_000);
  pass(step.passes(model, milliseconds()) / 1_000);
  const expected = step.predict(model, milliseconds());
  const answer = await fate(subject, step);
  const bookings = await subject.newBookings();
  expect({ answer, bookings }, 'the answer').to.deep.equal(expected);
  const seen = await subject.seen();
  expect(seen, 'what is seen').to.deep.equal(seenOf(model, milliseconds()));
  const held = seen.faces.flatMap(([, , speaker]) => (speaker === null ? [] : [speaker]));
  expect(new Set(held).size, 'a speaker has at most one face').to.equal(held.length);
  pass(step.kind === 'time' ? 0 : 0.001);
};

/** Runs sequences against the model; the process for reactions, run again, finds nothing left to do after each. */
const doAsTheModelSays = async (sequences: number, fateOn: (failing: FailingStore) => Fate): Promise<void> => {
  const { store, close } = await openInMemory();
  const failing = failingStore(store);
  const place = world(failing.store);
  let sequence = 0;
  const check = async (first: ReadonlyArray<Step>, steps: ReadonlyArray<Step>): Promise<void> => {
    const start = await succeeded(store.head());
    const model = emptyModel();
    const subject = await openSubject(place, `v${(sequence += 1)}`);
    for (const one of [...first, ...steps]) await takeStep(place, subject, model, one, fateOn(failing));
    const end = await succeeded(store.head());
    await runReactions(place.app, start);
    expect(await succeeded(store.head()), 'the log after running the reactions again').to.equal(end);
  };
  const steps = fc.array(anyStep, { maxLength: 24, size: 'max' });
  await fc.assert(fc.asyncProperty(beginning, steps, check), { numRuns: sequences, ...replay });
  await close();
};

describe('match runs, for any order of requests (section 3 and the contract)', function () {
  this.timeout(300_000);
  it(`behave like the model, ${sequences} sequences`, () => doAsTheModelSays(sequences, () => answered));
  it(`behave like the model if every request fails before its reactions, ${sequences / 5} sequences`, () =>
    doAsTheModelSays(sequences / 5, crashing));
});
