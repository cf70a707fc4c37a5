import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { startRetention } from '../../application/processes/retention.js';
import { world } from '../support/application/world.js';
import { openWorld } from '../projections/read-models-world.js';

describe('retention', () => {
  it('logs a check that failed and repeats it a minute later; after a check that succeeded, it waits an hour', async () => {
    const { store, open, end } = await openWorld();
    const { app } = world(store);
    let isAway = true;
    const away = TE.left({ _tag: 'StoreUnavailable' as const, reason: 'it is away' });
    const lines: string[] = [];
    const planned: Array<{ readonly seconds: number; readonly work: () => void }> = [];
    const looking = {
      app: {
        ...app,
        log: { ...app.log, warn: (message: string) => void lines.push(message) },
        store: { ...store, head: () => (isAway ? away : store.head()) },
      },
      queries: open().queries,
      upToHead: TE.right(undefined),
    };
    const timers = {
      after: (seconds: number, work: () => void) => {
        planned.push({ seconds, work });
        return () => undefined;
      },
    };
    const retention = startRetention(looking, timers);
    const next = async (): Promise<number> => {
      for (let before = planned.length; planned.length === before;) await new Promise(setImmediate);
      return planned.at(-1)?.seconds ?? 0;
    };
    expect([await next(), lines]).to.deep.equal([60, ['retention was interrupted']]);
    isAway = false;
    planned.at(-1)?.work();
    expect([await next(), lines.length]).to.deep.equal([3_600, 1]);
    await retention.close();
    await end();
  });
});
