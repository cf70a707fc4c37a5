import { constVoid } from 'fp-ts/lib/function.js';
import type { Awaited, Change, Queries } from '../../projections/queries.js';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import { waitAtMost } from '../runtime/clock.js';
import { shapeOf, type Versions } from './open-database.js';
import { followLog, type ReadModelsFailure } from './follow.js';
import { createGate, createQueries } from './queries.js';
import { type Changes, noChanges, openSession } from './session.js';

interface Waiter {
  readonly isMet: (changes: Changes) => boolean;
  readonly resolve: () => void;
}

/** Those that wait for something that a commit brings about. */
export const createWaiters = () => {
  const waiting = new Set<Waiter>();
  let ended = false;
  const wake = (isMet: (waiter: Waiter) => boolean): void =>
    waiting.forEach((waiter) => {
      if (isMet(waiter)) waiter.resolve();
    });
  return {
    /** Waits for a commit that meets the condition; null once there will be none. */
    wait: (isMet: Waiter['isMet']): Change | null => {
      if (ended) return null;
      let cancel = constVoid;
      const happened = new Promise<void>((resolve) => {
        const waiter: Waiter = { isMet, resolve: () => (cancel(), resolve()) };
        cancel = () => void waiting.delete(waiter);
        waiting.add(waiter);
      });
      return { happened, cancel };
    },
    committed: (changes: Changes): void => wake(({ isMet }) => isMet(changes)),
    /** The rows were replaced: all may have changed. */
    wakeAll: (): void => wake(() => true),
    /** There will be no further commit. */
    end: (): void => {
      ended = true;
      wake(() => true);
    },
  };
};

export interface ReadModelsOptions {
  /** The file of the rows; it is created when missing, but its folder is not. It may be deleted at any time. */
  readonly file: string;
  readonly store: EventStore;
  readonly log?: Log;
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

/** Whether a commit changed these rows. */
const changeOf =
  (of: Awaited) =>
  ({ runs, videos, audios }: Changes): boolean => {
    switch (of) {
      case 'match_runs':
        return runs.length > 0;
      case 'videos':
        return videos;
      case 'audios':
        return audios;
      default:
        return runs.includes(of.run_id);
    }
  };

/**
 * Opens the read models and lets them follow the log from their position. A missing or damaged file, or one of other
 * projection versions, is rebuilt from the first event; so is one of another log if `acceptLog` is set. Throws when the
 * file cannot be used at all.
 */
export const openReadModels = (options: ReadModelsOptions): ReadModels => {
  const { file, store, log, versions = projections, acceptLog = false, keyRetryMs = 30_000 } = options;
  let session = openSession(file, shapeOf(versions));
  let resolveMismatch: (mismatch: string | null) => void = constVoid;
  const mismatch = new Promise<string | null>((resolve) => {
    resolveMismatch = resolve;
  });
  const gate = createGate(
    () => session.reader,
    (cause) => follower.interrupt(cause),
  );
  const position = (): Position | null => (gate.isOpen() ? session.progress().position : null);
  const forPositions = createWaiters();
  const forChanges = createWaiters();
  const reached: Queries['reached'] = (wanted, timeout_ms) => async () => {
    const isReached = (): boolean => (position() ?? '') >= wanted;
    const commit = isReached() ? null : forPositions.wait(isReached);
    if (commit !== null) {
      await waitAtMost(commit.happened, timeout_ms);
      commit.cancel();
    }
    return isReached() ? E.right(undefined) : E.left({ _tag: 'ReadModelBehind', wanted, reached: position() });
  };
  const follower = followLog({
    store,
    log,
    acceptLog,
    keyRetryMs,
    session: () => session,
    rebuild: (because) => {
      session.close();
      session = openSession(file, shapeOf(versions), because);
    },
    onChecked: (found) => {
      resolveMismatch(found);
      if (found !== null) return gate.shut(found);
      gate.open();
      forPositions.committed(noChanges);
      forChanges.wakeAll();
    },
    onCommitted: (changed) => {
      forPositions.committed(changed);
      forChanges.committed(changed);
    },
    onLost: gate.refuse,
    onStopped: () => {
      forPositions.end();
      forChanges.end();
    },
  });
  return {
    mismatch,
    queries: createQueries(gate.ask, { reached, change: (of) => forChanges.wait(changeOf(of)) }),
    // The file may be rebuilt at any time.
    snapshots: {
      load: (stream) => session.snapshots.load(stream),
      save: (stream, snapshot) => session.snapshots.save(stream, snapshot),
    },
    status: () => ({ position: position(), caught_up: follower.caughtUp(), failure: follower.failure() }),
    endWaits: forChanges.end,
    close: async () => {
      await follower.close();
      gate.shut('the read models are closed');
      session.close();
    },
  };
};
