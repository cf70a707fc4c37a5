import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { settle } from '../../../application/processes/settle.js';
import { readEvent } from '../../../application/read-event.js';
import { succeeded } from '../event-store/outcomes.js';
import type { Application } from '../../../application/application.js';
import type { World } from './world.js';

/** What the process of follow-ups does: settles every event of the log, in order, those that come of it included. */
export const settleLog = async (app: Application, after: string | null = null): Promise<void> => {
  for (let position = after; ;) {
    const { events, examined } = await succeeded(app.store.readAll(position, {}, 100));
    if (examined === null) return;
    const recorded = await succeeded(TE.fromEither(E.traverseArray(readEvent)(events)));
    await succeeded(TE.traverseSeqArray(settle(app, { wrote: () => undefined, mustSee: () => undefined }))(recorded));
    position = examined;
  }
};

/** Every event of the log as `stream type`, in order. */
export const logOf = async ({ app }: World): Promise<ReadonlyArray<string>> => {
  const { events } = await succeeded(app.store.readAll(null, {}, 10_000));
  return events.map(({ stream, type }) => `${stream} ${type}`);
};
