import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { EventFilter, EventStore, Page } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { LogMismatch, checkLog, openedSince, untilOpened } from './check-log.js';
import { DamagedFile, isDamage } from './damage.js';
import type { OpenFile } from './open-file.js';
import type { Progress } from './progress-row.js';
import { type ReadModelsProgress, reportProgress } from './progress-report.js';
import { type ProjectorSettings, createProjector } from './projector.js';

export interface AttemptSettings extends Omit<ProjectorSettings, 'onFailed'> {
  readonly store: EventStore;
  readonly file: OpenFile;
  readonly log: Log | undefined;
  readonly onProgress: ((progress: ReadModelsProgress) => void) | undefined;
  /**
   * Called with null when the rows belong to this log, else with the reason why they do not; they are then left
   * unchanged.
   */
  readonly onChecked: (mismatch: string | null) => void;
  readonly onCaughtUp: (caughtUp: boolean) => void;
  /** Receives the function to call when somebody starts to wait for a position. */
  readonly whenWanted: (commitNow: () => void) => void;
  /** How often to check whether missing keys are available again. */
  readonly keyRetryMs: number;
  /** Whether to rebuild the read models when the log does not contain the events they were made from. */
  readonly acceptLog: boolean;
}

/** No filter: the event index contains every event, whatever the projections read. */
const filter: EventFilter = {};
const largePage = 500;

/** Checks that the rows can continue on this log; returns the head position, or why they cannot. */
const checkedHead = async (
  { store, acceptLog, onChecked }: AttemptSettings,
  progress: Progress,
): Promise<E.Either<unknown, Position | null>> => {
  const checked = await checkLog(store, filter, progress)();
  if (E.isLeft(checked)) return checked;
  const { head, mismatch } = checked.right;
  if (mismatch !== null && acceptLog) return E.left(new DamagedFile(mismatch));
  const outdated = mismatch === null ? await openedSince(store, progress.unopened) : null;
  if (outdated !== null) return E.left(outdated);
  onChecked(mismatch);
  return mismatch === null ? E.right(head) : E.left(new LogMismatch(mismatch));
};

interface FollowOptions {
  readonly store: EventStore;
  readonly after: Position | null;
  readonly filter: EventFilter;
  /** A rejection ends the loop. */
  readonly onPage: (page: Page) => Promise<void>;
  /** A rejection ends the loop. */
  readonly onCaughtUp: () => Promise<void>;
  /** Ends the loop; its reason becomes the result. */
  readonly signal: AbortSignal;
}

/** Passes the pages of the log to a handler. Resolves with the cause of the end, once no handler is running. */
const follow = async ({ store, after, filter, onPage, onCaughtUp, signal }: FollowOptions): Promise<unknown> => {
  let end: (cause: unknown) => void = constVoid;
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  if (signal.aborted) return signal.reason;
  signal.addEventListener('abort', () => end(signal.reason), { once: true });
  const subscription = store.subscribe(after, filter, {
    onPage: (page) =>
      onPage(page).catch((cause: unknown) => {
        end(cause);
        throw cause;
      }),
    onCaughtUp: () => void onCaughtUp().catch(end),
    onFailure: (failure) => end(failure),
  });
  const cause = await ended;
  await subscription.close();
  return cause;
};

/**
 * Follows the log from the position of the rows until something fails or the signal is aborted; resolves with the
 * cause.
 */
export const attempt = async (settings: AttemptSettings, signal: AbortSignal): Promise<unknown> => {
  const { store, file, log, onProgress, onCaughtUp, whenWanted, keyRetryMs } = settings;
  const session = file.session();
  onCaughtUp(false);
  const { position } = session.progress();
  const checked = await checkedHead(settings, session.progress());
  if (E.isLeft(checked)) return checked.left;
  const report = reportProgress({ log, onProgress, from: position, head: checked.right, reason: file.takeReason() });
  const failing = new AbortController();
  const projector = createProjector(session, { ...settings, onFailed: (cause) => failing.abort(cause) });
  whenWanted(projector.commitNow);
  const ended = new AbortController();
  const unopened = () => session.progress().unopened;
  const opened = untilOpened(store, unopened, keyRetryMs, AbortSignal.any([signal, ended.signal]));
  void opened.then((found) => found !== null && failing.abort(found));
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
  ended.abort();
  await opened;
  await (isDamage(cause) ? projector.idle() : projector.finish());
  return cause;
};
