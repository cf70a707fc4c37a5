import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { startRetention } from '../../application/processes/retention.js';
import { world } from '../support/application/world.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { at } from '../support/values.js';
import { openWorld, toNew } from '../projections/read-models-world.js';

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

  it('keeps an audio whose names were inferred, and reads none of the inferences', async () => {
    const { store, open, append, caughtUp, end } = await openWorld();
    const day = 86_400;
    const { app, pass } = world(store);
    const eventAt = (time: number, type: string, data: object) => {
      const event = toNew(type, data);
      return { ...event, metadata: { ...event.metadata, recorded_at: at(time) } };
    };
    await append('account-owner', toNew('RetentionSet.v1', { account_id: 'owner', days: 30, at: at(0) }));
    for (const audio_id of ['unused', 'inferred']) {
      const audio = { audio_id, owner_id: 'owner', title: null, kind: 'upload', video_id: null, deal_persons: [] };
      await append(`audio-${audio_id}`, eventAt(0, 'AudioRegistered.v1', audio));
    }
    const inquiry = {
      run_id: 'r1',
      audio_id: 'inferred',
      video_id: null,
      account_id: 'owner',
      mode: 'suggest',
      target_speaker_ids: [1],
      infer_roles: false,
      model: 'embedded',
      at: at(20 * day),
    };
    await append('nameInference-r1', eventAt(20 * day, 'NameInferenceRequested.v1', inquiry));
    const readModels = open();
    await caughtUp(readModels);
    pass(40 * day);
    const [read, selected]: [string[], unknown[]] = [[], []];
    const { queries } = readModels;
    let checked: () => void = () => undefined;
    const afterCheck = new Promise<void>((resolve) => (checked = resolve));
    const retention = startRetention(
      {
        app: {
          ...app,
          store: {
            ...store,
            read: (...given) => {
              read.push(given[0]);
              return store.read(...given);
            },
          },
        },
        queries: {
          ...queries,
          events: (...given) => {
            selected.push(given[0]);
            return queries.events(...given);
          },
        },
        upToHead: TE.right(undefined),
      },
      {
        after: (seconds: number) => {
          if (seconds > 0) checked();
          return () => undefined;
        },
      },
    );
    await afterCheck;
    const types = async (stream: string) =>
      (await succeeded(store.read(stream, -1, 10))).map(({ type }) => type.replace(/\.v\d+$/, ''));
    expect(await types('audio-unused')).to.deep.equal(['AudioRegistered', 'MediumErased']);
    expect(await types('audio-inferred')).to.deep.equal(['AudioRegistered']);
    expect(JSON.stringify([read, selected])).not.to.include('nameInference');
    await retention.close();
    await end();
  });
});
