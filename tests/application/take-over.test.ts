import { expect } from 'chai';
import { oncePerKey } from '../../application/name-inference/once-per-key.js';
import { registerAudio } from '../../application/use-cases/audios/register-audio.js';
import { audio } from '../support/application/media.js';
import { requestForAda, inferenceOfAda, recordAdaSpeaking } from '../support/application/naming.js';
import { logOf, runReactions } from '../support/application/run-reactions.js';
import { world } from '../support/application/world.js';
import { bookCredits } from '../../application/use-cases/credits/manage-credits.js';
import { credits } from '../support/credits.js';
import { accountId } from '../support/values.js';
import { booksOf } from '../support/credit-world.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { pausingStore } from '../support/event-store/pausing-store.js';
import { failingStore } from '../support/event-store/failing-store.js';

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
        const { run_id } = await succeeded(oncePerKey(other.app, first.inference, other.request(), nameRequest, 'key'));
        runs.push(run_id);
      }
      return before;
    };
    const late = { ...other.app, idempotencyKeys: { ...other.app.idempotencyKeys, load: overtaken } };
    const { run_id, replayed } = await succeeded(
      oncePerKey(late, second.inference, other.request(), nameRequest, 'key'),
    );
    expect([run_id, replayed, second.calls()]).to.deep.equal([runs[1], true, 0]);
    await close();
  });
});

describe('a run whose idempotency key another run took over', () => {
  it('is never charged if it was paused before its first event, and answers with the result of the other', async () => {
    const { store, close, other, nameRequest } = await setUp();
    const pausing = pausingStore(store, 'nameInference');
    const paused = world(pausing.store, 'the paused instance');
    const [first, second] = [inferenceOfAda(), inferenceOfAda()];
    const late = succeeded(oncePerKey(paused.app, first.inference, paused.request(), nameRequest, 'key'));
    await pausing.paused;
    other.pass(overdue);
    const taken = await succeeded(oncePerKey(other.app, second.inference, other.request(), nameRequest, 'key'));
    pausing.goOn();
    const { run_id, results, replayed } = await late;
    expect([first.calls(), second.calls()]).to.deep.equal([0, 1]);
    expect({ run_id, results, replayed }).to.deep.equal({
      run_id: taken.run_id,
      results: taken.results,
      replayed: true,
    });
    await runReactions(other.app);
    const { entries, account } = await booksOf(store, 'owner');
    expect(account?.holds).to.deep.equal([]);
    expect(entries.flatMap((entry) => (entry.kind === 'charge' ? [entry.run_id] : []))).to.deep.equal([taken.run_id]);
    await close();
  });

  it('is not taken over while it cannot be recorded as abandoned', async () => {
    const { store, close, other, nameRequest } = await setUp();
    const pausing = pausingStore(store, 'nameInference');
    const paused = world(pausing.store, 'the paused instance');
    const late = succeeded(oncePerKey(paused.app, inferenceOfAda().inference, paused.request(), nameRequest, 'key'));
    await pausing.paused;
    const failing = failingStore(store);
    const cutOff = world(failing.store, 'a cut-off instance');
    cutOff.pass(overdue);
    failing.failAfter(0);
    const { inference, calls } = inferenceOfAda();
    const refusal = await failed(oncePerKey(cutOff.app, inference, cutOff.request(), nameRequest, 'key'));
    expect(refusal).to.include({ _tag: 'StoreUnavailable' });
    expect(calls()).to.equal(0);
    pausing.goOn();
    expect(await late).to.include({ replayed: false });
    expect((await logOf(other)).filter((line) => line.endsWith('NameInferenceAnswered.v1'))).to.have.length(1);
    await close();
  });
});
