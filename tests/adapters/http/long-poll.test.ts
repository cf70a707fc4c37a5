import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { sharedPolls, longPoll } from '../../../adapters/http/long-poll.js';
import { createRowChanges } from '../../../adapters/read-models/waiters.js';
import { runId } from '../../support/values.js';

const never = 1_000_000;

const isReady = (value: number): boolean => value >= 10;

/** A query that is ready when its value is 10 or more, and that many can wait for. */
const counter = () => {
  const changes = createRowChanges();
  const polls = sharedPolls<string, number>();
  const state = { value: 0, reads: 0 };
  const ask = async () => {
    state.reads += 1;
    return state.value < 0 ? E.left('gone') : E.right(state.value);
  };
  const nextChange = () => changes.next({ run_id: runId('run') });
  const waitFully = (timeoutMs = never, expiresInMs: number | null = null) =>
    longPoll({
      ask,
      isReady,
      shared: () => polls('run', { ask, isReady, nextChange }),
      expiresInMs: () => expiresInMs,
      timeoutMs,
    });
  const wait = async (...how: Parameters<typeof waitFully>) => {
    const waited = await waitFully(...how);
    return E.isLeft(waited) ? waited : E.right(waited.right.answer);
  };
  const become = (value: number): void => {
    state.value = value;
    changes.changed({ runs: ['run'], videos: false, audios: false });
  };
  return { state, changes, wait, waitFully, become };
};

const manyTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('long polling', () => {
  it('runs one query for all who wait, and gives all the same answer', async () => {
    const { state, wait, become } = counter();
    const waiting = Promise.all(Array.from({ length: 1_000 }, () => wait()));
    await manyTurns();
    expect(state.reads).to.equal(1_000);
    become(10);
    const answers = await waiting;
    expect(state.reads).to.equal(1_001);
    for (const answer of answers) expect(answer).to.deep.equal(E.right(10));
  });

  it('resolves othersNotified after all others are notified; it is null for a single waiter', async () => {
    const { waitFully, become } = counter();
    const state = { notified: 0, done: 0 };
    const hearAndGoOn = async () => {
      const waited = await waitFully();
      if (E.isLeft(waited)) throw new Error(waited.left);
      state.notified += 1;
      expect(state.done).to.equal(0);
      await waited.right.othersNotified;
      expect(state.notified).to.equal(1_000);
      state.done += 1;
      return waited.right;
    };
    const waiting = Promise.all(Array.from({ length: 1_000 }, hearAndGoOn));
    await manyTurns();
    become(10);
    const answers = await waiting;
    expect(state.done).to.equal(1_000);
    // The remaining work is also done in several turns.
    const turns = new Set(answers.map(({ othersNotified }) => othersNotified));
    expect(turns.size).to.be.within(2, 100);
    expect(turns).not.to.include(null);
    become(0);
    const alone = waitFully();
    await manyTurns();
    become(11);
    expect(await alone).to.deep.equal(E.right({ answer: 11, othersNotified: null }));
  });

  it('continues to wait after a change that does not make the result ready', async () => {
    const { state, wait, become } = counter();
    const waiting = [wait(), wait()];
    await manyTurns();
    become(5);
    await manyTurns();
    expect(state.reads).to.equal(3);
    become(11);
    expect(await Promise.all(waiting)).to.deep.equal([E.right(11), E.right(11)]);
    expect(state.reads).to.equal(4);
  });

  it('misses no change that happens while the query is running', async () => {
    const { wait, become } = counter();
    const first = wait();
    become(10);
    expect(await first).to.deep.equal(E.right(10));
  });

  it('can wait again after a poll has ended', async () => {
    const { wait, become } = counter();
    const first = wait();
    await manyTurns();
    become(12);
    await first;
    become(1);
    const second = wait();
    await manyTurns();
    become(13);
    expect(await second).to.deep.equal(E.right(13));
  });

  it('returns an error after a change', async () => {
    const { wait, become } = counter();
    const waiting = wait();
    await manyTurns();
    become(-1);
    expect(await waiting).to.deep.equal(E.left('gone'));
  });

  it('returns the current result after the timeout, with timeout 0, and if there will be no change', async () => {
    const { state, changes, wait } = counter();
    expect(await wait(0)).to.deep.equal(E.right(0));
    expect(state.reads).to.equal(1);
    expect(await wait(1)).to.deep.equal(E.right(0));
    const waiting = [wait(), wait()];
    await manyTurns();
    changes.end();
    expect(await Promise.all(waiting)).to.deep.equal([E.right(0), E.right(0)]);
    expect(await wait()).to.deep.equal(E.right(0));
  });

  it('queries again when the result expires, and then continues to wait', async () => {
    const { state, wait } = counter();
    const waiting = wait(never, 1);
    await manyTurns();
    state.value = 10;
    expect(await waiting).to.deep.equal(E.right(10));
  });

  it('stops listening when nobody waits any more', async () => {
    const { changes, state, wait } = counter();
    await wait(1);
    const before = state.reads;
    expect(changes.isRunAwaited('run')).to.equal(false);
    changes.changed({ runs: ['run'], videos: false, audios: false });
    await manyTurns();
    expect(state.reads).to.equal(before);
  });
});
