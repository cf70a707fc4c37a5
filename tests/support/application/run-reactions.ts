import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { LRUCache } from 'lru-cache';
import type { Application } from '../../../application/application.js';
import { readEvent } from '../../../application/commands/read-event.js';
import type { Checkpoints } from '../../../application/ports/event-store.js';
import { reactionProcess, sweepOnce } from '../../../application/processes/sweep.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { succeeded } from '../event-store/outcomes.js';
import type { World } from './world.js';

/** Checkpoints in memory, which all instances of a test share. */
export const sharedCheckpoints = (): Checkpoints => {
  const saved = new Map<string, string>();
  return {
    load: (process) => TE.fromIO(() => saved.get(process) ?? null),
    save: (process, position) => TE.fromIO(() => void saved.set(process, position)),
  };
};

/** The application of another instance, which does not know the reactions that have been run. */
export const otherInstance = (app: Application): Application => ({ ...app, reacted: new LRUCache({ max: 1_000 }) });

/**
 * Runs the process for reactions, with empty caches, from a position to the end of the log; the
 * resulting events are included.
 */
export const runReactions = async (app: Application, after: Position | null = null): Promise<void> => {
  const checkpoints = sharedCheckpoints();
  const sweep = reactionProcess(otherInstance(app));
  if (after !== null) await succeeded(checkpoints.save(sweep.name, after));
  while ((await succeeded(checkpoints.load(sweep.name))) !== (await succeeded(app.store.head()))) {
    const failure = await sweepOnce(app, checkpoints, sweep, -Infinity);
    if (failure !== null) throw new Error(JSON.stringify(failure));
  }
};

/** Runs the reactions to each event at once, as it is written, while requests are served. */
export const reactAtOnce = (app: Application, after: Position | null) => {
  const { filter, react } = reactionProcess(app);
  return app.store.subscribe(after, filter, {
    onPage: async ({ events }) => {
      for (const stored of events) {
        const event = readEvent(stored);
        if (E.isLeft(event)) throw new Error(event.left.reason);
        for (let done = await react(event.right)(); E.isLeft(done);) done = await react(event.right)();
      }
    },
    onFailure: (failure) => {
      throw failure;
    },
  });
};

/** Every event of the log as `stream type`, in order. */
export const logOf = async ({ app }: World): Promise<ReadonlyArray<string>> => {
  const { events } = await succeeded(app.store.readAll(null, {}, 10_000));
  return events.map(({ stream, type }) => `${stream} ${type}`);
};
