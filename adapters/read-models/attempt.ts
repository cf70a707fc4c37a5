import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { EventFilter, EventStore, Page } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import { LogMismatch, checkLog } from './check-log.js';
import { DamagedFile, isDamage } from './damage.js';
import type { OpenFile } from './open-file.js';
import { type ReadModelsProgress, reportProgress } from './progress.js';
import { type ProjectorSettings, createProjector } from './projector.js';
import { follow } from './route.js';

export interface AttemptSettings extends Omit<ProjectorSettings, 'onFailed'> {
  readonly store: EventStore;
  readonly file: OpenFile;
  readonly log: Log | undefined;
  readonly onProgress: ((progress: ReadModelsProgress) => void) | undefined;
  /** Told whether the rows are of this log: null, or why they are not and are left as they are. */
  readonly onChecked: (mismatch: string | null) => void;
  readonly onCaughtUp: (caughtUp: boolean) => void;
  /** Given what is to be called when somebody begins to wait for a position. */
  readonly whenWanted: (hurry: () => void) => void;
  /** Whether the read models are to be made anew when the log does not hold what they were made from. */
  readonly acceptLog: boolean;
}

/** Every event is in the index of events, whatever the projections read. */
const filter: EventFilter = {};
const largePage = 500;

/** Follows the log from where the rows are until something fails or the signal is aborted; resolves with the cause. */
export const attempt = async (
  { store, file, log, onProgress, onChecked, onCaughtUp, whenWanted, acceptLog, ...settings }: AttemptSettings,
  signal: AbortSignal,
): Promise<unknown> => {
  const session = file.session();
  onCaughtUp(false);
  const { position } = session.progress();
  const checked = await checkLog(store, filter, session.progress())();
  if (E.isLeft(checked)) return checked.left;
  const { head, mismatch } = checked.right;
  if (mismatch !== null && acceptLog) return new DamagedFile(mismatch);
  onChecked(mismatch);
  if (mismatch !== null) return new LogMismatch(mismatch);
  const report = reportProgress({ log, onProgress, from: position, head, reason: file.takeReason() });
  const failing = new AbortController();
  const projector = createProjector(session, { ...settings, onFailed: (cause) => failing.abort(cause) });
  whenWanted(projector.hurry);
  let arrived = false;
  const cause = await follow({
    store,
    after: position,
    filter,
    signal: AbortSignal.any([signal, failing.signal]),
    onPage: async (page: Page) => {
      if (page.events.length >= largePage) onCaughtUp(false);
      await projector.take(page);
      if (!arrived && page.examined !== null) report.advance(page.events.length, page.examined);
    },
    onCaughtUp: async () => {
      await projector.arrive();
      onCaughtUp(true);
      if (!arrived) report.arrive();
      arrived = true;
    },
  });
  whenWanted(constVoid);
  await (isDamage(cause) ? projector.settled() : projector.finish());
  return cause;
};
