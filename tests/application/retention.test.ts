import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { serviceRequest } from '../../application/commands/context.js';
import { retentionActor, startRetention } from '../../application/processes/retention.js';
import { eraseVideo } from '../../application/use-cases/erasure/erase.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { audio, video, owner, world } from '../support/application/world.js';
import { succeeded } from '../support/event-store/stores.js';
import { audioId, videoId } from '../support/values.js';
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

  it('erases an audio with few events whose video it erased before', async () => {
    const { store, open, end } = await openWorld();
    const { app, request, pass, logged } = world({
      ...store,
      // As EventStoreDB's client.
      read: (stream, after, ...rest) => {
        if (after < -1) throw new RangeError(`there is no revision ${after + 1}`);
        return store.read(stream, after, ...rest);
      },
    });
    const { account_id } = owner;
    const given = request();
    await succeeded(
      app.perform(given, 'accounts', account_id, { type: 'OpenAccount', account_id, name: null, at: given.at }),
    );
    await succeeded(app.perform(given, 'accounts', account_id, { type: 'SetRetention', days: 1, at: given.at }));
    await succeeded(registerVideo(app, given, video('v')));
    await succeeded(registerAudio(app, given, audio('a', 'v')));
    pass(2 * 86_400);
    await succeeded(eraseVideo(app, serviceRequest(retentionActor, 'earlier run', app.clock.now()), videoId('v')));
    const needs = { app, queries: open().queries, upToHead: TE.right(undefined) };
    const planned = new Promise((resolve) => {
      startRetention(needs, {
        after: (seconds) => {
          resolve(seconds);
          return () => undefined;
        },
      });
    });
    expect([await planned, logged]).to.deep.equal([3_600, []]);
    expect((await succeeded(app.audios.load(audioId('a')))).state._tag).to.equal('Erased');
    await end();
  });
});
