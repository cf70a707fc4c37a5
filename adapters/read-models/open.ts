import { constVoid } from 'fp-ts/lib/function.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import type { Queries } from '../../projections/queries.js';
import { type Versions, removeDatabase, shapeOf } from './database.js';
import { type ReadModelsFailure, followLog } from './follow.js';
import type { ReadModelsProgress } from './progress-report.js';
import { createGate, createQueries } from './queries.js';
import { openSession } from './session.js';
import { createRowChanges, createWaiters } from './waiters.js';

export interface ReadModelsOptions {
  /** The file of the rows; it is created when missing, but its folder is not. It may be deleted at any time. */
  readonly file: string;
  readonly store: EventStore;
  readonly log?: Log;
  /** Called about once a second while catching up with the log. */
  readonly onProgress?: (progress: ReadModelsProgress) => void;
  readonly versions?: Versions;
  /**
   * Whether to rebuild when the log does not contain the events that the rows were made from, instead of refusing every
   * query.
   */
  readonly acceptLog?: boolean;
  /** How often to check whether missing keys are available again, in milliseconds; default 30 s. */
  readonly keyRetryMs?: number;
}

export interface ReadModelsStatus {
  /** The position that all answers reflect. */
  readonly position: Position | null;
  /** Whether the rows have reached the head of the log and are not far behind it again. */
  readonly caught_up: boolean;
  readonly failure: ReadModelsFailure | null;
}

export interface ReadModels {
  readonly queries: Queries;
  readonly snapshots: Snapshots;
  readonly status: () => ReadModelsStatus;
  /** Why the log is not the one that the rows were made from; null when it is. Resolves once the store has answered. */
  readonly mismatch: Promise<string | null>;
  /** Answers everyone who waits for a change of rows with their current state, from now on. */
  readonly endWaits: () => void;
  /** Resolves once nothing is running; from then on queries are refused. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the read models and lets them follow the log from their position. A missing or damaged file, or one of other
 * projection versions, is rebuilt from the first event; so is one of another log if `acceptLog` is set. Throws when the
 * file cannot be used at all.
 */
export const openReadModels = (options: ReadModelsOptions): ReadModels => {
  const { file, store, log, onProgress, versions = projections, acceptLog = false, keyRetryMs = 30_000 } = options;
  let session = openSession(file, shapeOf(versions));
  let reason = session.rebuildReason;
  let resolveMismatch: (mismatch: string | null) => void = constVoid;
  const mismatch = new Promise<string | null>((resolve) => {
    resolveMismatch = resolve;
  });
  const gate = createGate(
    () => session.reader,
    (cause) => follower.interrupt(cause),
  );
  const position = (): Position | null => (gate.isOpen() ? session.progress().position : null);
  const waiters = createWaiters(position);
  const changes = createRowChanges();
  const follower = followLog({
    store,
    log,
    onProgress,
    acceptLog,
    keyRetryMs,
    session: () => session,
    rebuild: (because) => {
      session.close();
      removeDatabase(file);
      session = openSession(file, shapeOf(versions));
      reason = because;
    },
    takeReason: () => {
      const taken = reason;
      reason = null;
      return taken;
    },
    onChecked: (found) => {
      resolveMismatch(found);
      if (found !== null) return gate.shut(found);
      gate.open();
      waiters.wake();
      changes.allChanged();
    },
    onCommitted: (changed) => {
      waiters.wake();
      changes.changed(changed);
    },
    onLost: gate.refuse,
    onStopped: () => {
      waiters.end();
      changes.end();
    },
  });
  return {
    mismatch,
    queries: createQueries(gate.ask, {
      reached: (wanted, timeout_ms) => () => waiters.wait(wanted, timeout_ms),
      change: changes.next,
    }),
    // The file may be rebuilt at any time.
    snapshots: {
      load: (stream) => session.snapshots.load(stream),
      save: (stream, snapshot) => session.snapshots.save(stream, snapshot),
    },
    status: () => ({ position: position(), caught_up: follower.caughtUp(), failure: follower.failure() }),
    endWaits: changes.end,
    close: async () => {
      await follower.close();
      gate.shut('the read models are closed');
      session.close();
    },
  };
};
