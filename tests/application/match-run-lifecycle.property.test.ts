import { expect } from 'chai';
import * as fc from 'fast-check';
import { nameMatchAccuracy } from '../../domain/matching/name-channel.js';
import { settle } from '../../application/processes/settle.js';
import { readEvent } from '../../application/read-event.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type World, world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { type Model, emptyModel } from '../support/match-run-model/model.js';
import { predict, seenOf } from '../support/match-run-model/predict.js';
import { type Step, step } from '../support/match-run-model/steps.js';
import { type Subject, numberOf, openSubject, perform } from '../support/match-run-model/subject.js';

const window = 15 * 60 * 1_000;

const sequences = Number(process.env['PROPERTY_SEQUENCES'] ?? 2_500);
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

const takeStep = async (subject: Subject, model: Model, step: Step): Promise<void> => {
  const { pass, now } = subject.world;
  const milliseconds = (): number => Math.round(now() * 1_000);
  pass(timeThatPasses(step, model, milliseconds()) / 1_000);
  const expected = predict(model, step, milliseconds(), nameMatchAccuracy);
  const answer = await perform(subject, step);
  const bookings = await subject.watched.look((id) => numberOf(subject, id));
  expect({ answer, bookings }, 'the answer').to.deep.equal(expected);
  const seen = await subject.watched.seen();
  expect(seen, 'what is seen').to.deep.equal(seenOf(model, milliseconds()));
  const held = seen.faces.flatMap(([, , speaker]) => (speaker === null ? [] : [speaker]));
  expect(new Set(held).size, 'a speaker has at most one face').to.equal(held.length);
  const nothingElse = step.do === 'pass' || step.do === 'pass to the edge';
  pass(nothingElse ? 0 : 0.001);
};

/** The process that settles the log again finds nothing left to do. */
const expectSettled = async ({ app }: World, after: string | null): Promise<void> => {
  const { events } = await succeeded(app.store.readAll(after, {}, 10_000));
  const head = await succeeded(app.store.head());
  const recorded = await succeeded(TE.fromEither(E.traverseArray(readEvent)(events)));
  await succeeded(TE.traverseSeqArray(settle(app, () => undefined))(recorded));
  expect(await succeeded(app.store.head()), 'the log settled again').to.equal(head);
};

describe('match runs, in whatever order things come (section 3 and the contract)', () => {
  it(`do what the model says, ${sequences} sequences`, async function () {
    this.timeout(300_000);
    const { store, close } = await openInMemory();
    const place = world(store);
    let sequence = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24, size: 'max' }), async (steps) => {
        const start = await succeeded(store.head());
        const model = emptyModel();
        const subject = await openSubject(place, `v${(sequence += 1)}`);
        for (const one of [...beginning, ...steps]) await takeStep(subject, model, one);
        await expectSettled(place, start);
      }),
      { numRuns: sequences, ...replay },
    );
    await close();
  });
});
