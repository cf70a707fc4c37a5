import { expect } from 'chai';
import * as fc from 'fast-check';
import { nameMatchAccuracy } from '../../domain/matching/name-channel.js';
import { runReactions } from '../support/application/run-reactions.js';
import { world } from '../support/application/world.js';
import { type FailingStore, failingStore } from '../support/event-store/failing-store.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import type { Answer } from '../support/match-run-model/outcome.js';
import { type Model, emptyModel } from '../support/match-run-model/model.js';
import { predict, seenOf } from '../support/match-run-model/predict.js';
import { type Step, step } from '../support/match-run-model/steps.js';
import { type Subject, numberOf, openSubject, perform } from '../support/match-run-model/subject.js';
import { shortOrLong } from '../support/long-form.js';

const window = 15 * 60 * 1_000;

const sequences = Number(process.env['PROPERTY_SEQUENCES'] ?? shortOrLong(200, 2_500));
/** To replay a failure: its seed and path, as its report prints them. */
const replay = {
  ...(process.env['PROPERTY_SEED'] === undefined ? {} : { seed: Number(process.env['PROPERTY_SEED']) }),
  ...(process.env['PROPERTY_PATH'] === undefined ? {} : { path: process.env['PROPERTY_PATH'] }),
};

const beginning: ReadonlyArray<Step> = [
  {
    do: 'analyse video',
    status: 'completed',
    faces: [
      { id: 0, name: null, traits: 1 },
      { id: 1, name: 'Ann', traits: 2 },
      { id: 2, name: null, traits: undefined },
    ],
  },
  {
    do: 'analyse audio',
    status: 'completed',
    speakers: [
      { id: 0, name: 'Bob' },
      { id: 1, name: null },
      { id: 2, name: 'SPEAKER_01' },
    ],
  },
];

const timeThatPasses = (step: Step, model: Model, now: number): number => {
  if (step.do === 'pass') return step.milliseconds;
  if (step.do !== 'pass to the edge') return 0;
  const last = model.runs.at(-1)?.queuedAt ?? now;
  return Math.max(0, last + window + step.beside - now);
};

/** How a request ends: it is answered, or the process dies after the decision and before its reactions. */
type Fate = (subject: Subject, step: Step, perform: () => Promise<Answer>) => Promise<Answer>;

const answered: Fate = (_subject, _step, perform) => perform();

const crashing =
  (failing: FailingStore): Fate =>
  async ({ world: { app } }, step, perform) => {
    const before = await succeeded(app.store.head());
    if (step.do !== 'analyse video' && step.do !== 'analyse audio') failing.failAfter(1);
    const answer = await perform();
    failing.recover();
    await runReactions(app, before);
    return answer;
  };

const takeStep = async (subject: Subject, model: Model, step: Step, fate: Fate): Promise<void> => {
  const { pass, now } = subject.world;
  const milliseconds = (): number => Math.round(now() * 1_000);
  pass(timeThatPasses(step, model, milliseconds()) / 1_000);
  const expected = predict(model, step, milliseconds(), nameMatchAccuracy);
  const answer = await fate(subject, step, () => perform(subject, step));
  const bookings = await subject.observed.newBookings((id) => numberOf(subject, id));
  expect({ answer, bookings }, 'the answer').to.deep.equal(expected);
  const seen = await subject.observed.seen();
  expect(seen, 'what is seen').to.deep.equal(seenOf(model, milliseconds()));
  const held = seen.faces.flatMap(([, , speaker]) => (speaker === null ? [] : [speaker]));
  expect(new Set(held).size, 'a speaker has at most one face').to.equal(held.length);
  const nothingElse = step.do === 'pass' || step.do === 'pass to the edge';
  pass(nothingElse ? 0 : 0.001);
};

/** Runs sequences against the model; the process for reactions, run again, finds nothing left to do after each. */
const doAsTheModelSays = async (sequences: number, fateOn: (failing: FailingStore) => Fate): Promise<void> => {
  const { store, close } = await openInMemory();
  const failing = failingStore(store);
  const place = world(failing.store);
  let sequence = 0;
  const check = async (steps: ReadonlyArray<Step>): Promise<void> => {
    const start = await succeeded(store.head());
    const model = emptyModel();
    const subject = await openSubject(place, `v${(sequence += 1)}`);
    for (const one of [...beginning, ...steps]) await takeStep(subject, model, one, fateOn(failing));
    const end = await succeeded(store.head());
    await runReactions(place.app, start);
    expect(await succeeded(store.head()), 'the log after running the reactions again').to.equal(end);
  };
  const steps = fc.array(step, { maxLength: 24, size: 'max' });
  await fc.assert(fc.asyncProperty(steps, check), { numRuns: sequences, ...replay });
  await close();
};

describe('match runs, for any order of requests (section 3 and the contract)', function () {
  this.timeout(300_000);
  it(`behave like the model, ${sequences} sequences`, () => doAsTheModelSays(sequences, () => answered));
  it(`behave like the model if every request fails before its reactions, ${sequences / 5} sequences`, () =>
    doAsTheModelSays(sequences / 5, crashing));
});
