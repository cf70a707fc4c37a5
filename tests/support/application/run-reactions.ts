import type { Application } from '../../../application/application.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { reactionProcess } from '../../../application/processes/reaction-process.js';
import { runProcess } from '../../../application/processes/run-process.js';
import { createCompletedReactions } from '../../../application/reactions/completed.js';
import { succeeded } from '../event-store/outcomes.js';
import type { World } from './world.js';

/**
 * Runs the process for reactions, with empty caches, from a position to the end of the log; the
 * resulting events are included.
 */
export const runReactions = async (app: Application, after: Position | null = null): Promise<void> => {
  if ((await succeeded(app.store.head())) === after) return;
  await new Promise<void>((resolve) => {
    const save = (_: string, position: Position) => async () => {
      if ((await succeeded(app.store.head())) === position) resolve(running.close());
      return TE.right(undefined)();
    };
    const process = reactionProcess({ ...app, completedReactions: createCompletedReactions() });
    const running = runProcess(app, { load: () => TE.right(after), save }, process);
  });
};

/** Every event of the log as `stream type`, in order. */
export const logOf = async ({ app }: World): Promise<ReadonlyArray<string>> => {
  const { events } = await succeeded(app.store.readAll(null, {}, 10_000));
  return events.map(({ stream, type }) => `${stream} ${type}`);
};
