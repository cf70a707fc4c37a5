import { expect } from 'chai';
import { createProjector } from '../../adapters/read-models/projector.js';
import { createRowChanges } from '../../adapters/read-models/waiters.js';
import { shapeOf } from '../../adapters/read-models/schema.js';
import { openSession } from '../../adapters/read-models/session.js';
import { projections } from '../../projections/projections.js';
import { runStarted } from '../projections/facts.js';
import { openWorld, toNew } from '../projections/read-models-world.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { runId } from '../support/values.js';

describe('read models: awaited match runs', () => {
  /** Follows a log of its own page by page, under the test's control. */
  const following = async () => {
    const world = await openWorld();
    const session = openSession(world.file, shapeOf(projections));
    const runs = createRowChanges();
    const projector = createProjector(session, {
      isWanted: () => false,
      isRunAwaited: runs.isRunAwaited,
      onFailed: (cause) => {
        throw cause;
      },
      onCommitted: runs.changed,
      maxEvents: 4_000,
      maxCharacters: 8_000_000,
    });
    await projector.arrive();
    /** Projects the page in which a run starts; returns whether it is visible at once. */
    const start = async (run_id: string): Promise<boolean> => {
      const before = session.progress().position;
      const { type, data } = runStarted({ run_id });
      const position = await world.append(`matchRun-${run_id}`, toNew(`${type}.v1`, data));
      await projector.take(await succeeded(world.store.readAll(before, {}, 100)));
      return session.progress().position === position;
    };
    const end = async (): Promise<void> => {
      await projector.finish();
      await session.close();
      await world.end();
    };
    return { runs, start, end };
  };

  it('are visible as soon as they change, even shortly after another commit', async () => {
    const { runs, start, end } = await following();
    for (const run_id of ['r1', 'r2', 'r3']) {
      const awaited = runs.next({ run_id: runId(run_id) });
      expect(await start(run_id)).to.equal(true);
      await awaited?.happened;
    }
    await end();
  });

  it('are visible to those that wait for any run', async () => {
    const { runs, start, end } = await following();
    for (const run_id of ['r1', 'r2', 'r3']) {
      const awaited = runs.next('match_runs');
      expect(await start(run_id)).to.equal(true);
      await awaited?.happened;
    }
    await end();
  });

  it('are committed without hurry once nobody waits for them', async () => {
    const { runs, end } = await following();
    const [one, other] = [runs.next({ run_id: runId('r1') }), runs.next({ run_id: runId('r1') })];
    one?.cancel();
    expect(runs.isRunAwaited('r1')).to.equal(true);
    expect(runs.isRunAwaited('r2')).to.equal(false);
    other?.cancel();
    expect(runs.isRunAwaited('r1')).to.equal(false);
    await end();
  });
});
