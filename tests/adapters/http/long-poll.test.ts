import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { describe, it } from 'mocha';
import { askedTogether, longPoll } from '../../../adapters/http/long-poll.js';
import { createWaiters } from '../../../adapters/read-models/open.js';

const never = 1_000_000;

const isReady = (value: number): boolean => value >= 10;

/** A query that is ready when its value is 10 or more. */
const counter = () => {
  const changes = createWaiters();
  const together = askedTogether<E.Either<string, number>>();
  const state = { value: 0, reads: 0 };
  const ask = async () => {
    state.reads += 1;
    return state.value < 0 ? E.left('gone') : E.right(state.value);
  };
  const nextChange = () => changes.wait((committed) => committed === 'all' || committed.match_runs.includes('run'));
  const wait = (timeoutMs = never, expiresInMs: number | null = null) =>
    longPoll({
      ask: () => together(changes, 'run', ask),
      isReady,
      nextChange,
      expiresInMs: () => expiresInMs,
      timeoutMs,
    });
  const become = (value: number): void => {
    state.value = value;
    changes.committed({ match_runs: ['run'], videos: [], audios: [] });
  };
  return { state, changes, wait, become };
};

const manyTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('long polling', () => {
  it('answers a thousand who wait for the same, with one query for each change', async () => {
    const { state, wait, become } = counter();
    const waiting = Promise.all(Array.from({ length: 1_000 }, () => wait()));
    await manyTurns();
    const before = state.reads;
    become(10);
    const answers = await waiting;
    expect(state.reads - before).to.equal(1);
    for (const answer of answers) expect(answer).to.deep.equal(E.right(10));
  });

  it('misses no change that happens while the query is running', async () => {
    const { wait, become } = counter();
    const first = wait();
    become(10);
    expect(await first).to.deep.equal(E.right(10));
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
});
