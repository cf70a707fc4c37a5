import { expect } from 'chai';
import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { inferNames, interruptedRun } from '../../application/name-inference/infer-names.js';
import type { NameInference, NameRequest } from '../../application/name-inference/name-inference.js';
import { registerAudio } from '../../application/use-cases/videos/register.js';
import {
  audio,
  requestForAda,
  inferenceOfAda,
  recordAdaSpeaking,
  logOf,
  runReactions,
  type World,
  world,
  heldAppends,
} from '../support/application/world.js';
import { bookCredits } from '../../application/use-cases/credits/credits.js';
import { credits, accountId, instanceId, runId } from '../support/values.js';
import { booksOf } from '../support/credit-world.js';
import { failed, succeeded, until, openInMemory, failingStore } from '../support/event-store/stores.js';

const Names = t.type({ run_id: t.string, results: t.unknown });

/** A request with an idempotency key, as the endpoint serves it. The answer, and whether it is a stored one. */
const once = (place: World, instance: string, inference: NameInference, asked: NameRequest) =>
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
        const { run_id } = await succeeded(once(other, 'i', first.inference, nameRequest));
        runs.push(run_id);
      }
      return before;
    };
    const keys = { ...other.app.idempotencyKeys, load: overtaken };
    const late = { ...other, app: { ...other.app, idempotencyKeys: keys } };
    const { run_id, replayed } = await succeeded(once(late, 'j', second.inference, nameRequest));
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
    const late = succeeded(once(paused, 'i', first.inference, nameRequest));
    await until('it is paused', () => pausing.held() > 0);
    other.pass(overdue);
    const taken = await succeeded(once(other, 'j', second.inference, nameRequest));
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
    const late = succeeded(once(paused, 'i', inferenceOfAda().inference, nameRequest));
    await until('it is paused', () => pausing.held() > 0);
    const failing = failingStore(store);
    const cutOff = world(failing.store, 'a cut-off instance');
    cutOff.pass(overdue);
    failing.failAfter(0);
    const { inference, calls } = inferenceOfAda();
    const refusal = await failed(once(cutOff, 'j', inference, nameRequest));
    expect(refusal).to.include({ _tag: 'StoreUnavailable' });
    expect(calls()).to.equal(0);
    pausing.release();
    expect(await late).to.include({ replayed: false });
    expect((await logOf(other)).filter((line) => line.endsWith('NameInferenceAnswered.v1'))).to.have.length(1);
    await close();
  });
});
