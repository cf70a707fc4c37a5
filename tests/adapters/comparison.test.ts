import { expect } from 'chai';
import { threadedComparison } from '../../adapters/match-worker/comparison.js';
import { type Threads, startThreads } from '../../adapters/runtime/threads.js';
import type { FaceId } from '../../domain/kernel/ids.js';
import { type Presence, continuations } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/stretches.js';
import { faceId } from '../support/values.js';

/** Faces that are all present, in as many intervals each, under numbers that begin at `first`. */
const facesFrom = (first: number, faces: number, intervals: number): ReadonlyArray<Presence<FaceId>> =>
  Array.from({ length: faces }, (_, id) => ({
    id: faceId(first + id),
    present: merged(
      Array.from({ length: intervals }, (__, n) => ({ start: 10 * n + id / faces, end: 10 * n + 5 + id / faces })),
    ),
  }));

describe('comparisons of analyses', function () {
  this.timeout(60_000);
  const threads = startThreads();
  after(threads.close);

  const comparing = (run: Threads['run'] = threads.run) => {
    const done: string[] = [];
    const compare = threadedComparison({
      run: (task) => {
        done.push(`${task.work}, ${task.lane}`);
        return run(task);
      },
    });
    return { compare, done };
  };
  const large = [facesFrom(0, 200, 40), facesFrom(7, 200, 40)] as const;

  it('large ones have the same result, from a worker thread', async () => {
    const { compare, done } = comparing();
    const found = await compare(...large)();
    expect(found).to.have.length(200);
    expect(found).to.deep.equal(continuations(...large));
    expect(done).to.deep.equal(['compare, short']);
  });

  it('small ones need no thread', async () => {
    const { compare, done } = comparing();
    const small = [facesFrom(0, 100, 40), facesFrom(7, 100, 40)] as const;
    expect(await compare(...small)()).to.deep.equal(continuations(...small));
    expect(done).to.deep.equal([]);
  });

  it('are done all the same if the thread fails', async () => {
    const { compare, done } = comparing(() => Promise.reject(new Error('the thread has ended')));
    expect(await compare(...large)()).to.deep.equal(continuations(...large));
    expect(done).to.have.length(1);
  });
});
