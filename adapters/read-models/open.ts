import { constVoid } from 'fp-ts/lib/function.js';
import type { Awaited, Change, Queries } from '../../projections/queries.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { waitAtMost } from '../runtime/clock.js';
import { type ReadModelsFailure, type ReadModelsOptions, followLog } from './follow.js';
import { createGate, createQueries } from './queries.js';
import type { Changes } from './session.js';

/** What a commit changed; `all` if the rows were replaced. */
type Committed = Changes | 'all';

interface Waiter {
  readonly isMet: (changes: Committed) => boolean;
  readonly resolve: () => void;
}

/** Those that wait for something that a commit brings about. */
export const createWaiters = () => {
  const waiting = new Set<Waiter>();
  let ended = false;
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
    committed: (changes: Committed): void =>
      waiting.forEach(({ isMet, resolve }) => {
        if (isMet(changes)) resolve();
      }),
    /** There will be no further commit. */
    end: (): void => {
      ended = true;
      waiting.forEach(({ resolve }) => resolve());
    },
  };
};

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
  (changes: Committed): boolean =>
    changes === 'all' || (typeof of === 'string' ? changes[of].length > 0 : changes.match_runs.includes(of.run_id));

/**
 * Opens the read models and lets them follow the log from their position. A missing or damaged file, or one of other
 * projection versions, is rebuilt from the first event; so is one of another log if `acceptLog` is set. Throws when the
 * file cannot be used at all.
 */
export const openReadModels = (options: ReadModelsOptions): ReadModels => {
  let resolveMismatch: (mismatch: string | null) => void = constVoid;
  const mismatch = new Promise<string | null>((resolve) => {
    resolveMismatch = resolve;
  });
  const gate = createGate(
    () => follower.session().reader,
    (cause) => follower.interrupt(cause),
  );
  const position = (): Position | null => (gate.isOpen() ? follower.session().progress().position : null);
  const waiters = createWaiters();
  let answersAtOnce = false;
  const reached: Queries['reached'] = (wanted, timeout_ms) => async () => {
    const isReached = (): boolean => (position() ?? '') >= wanted;
    const commit = isReached() ? null : waiters.wait(isReached);
    if (commit !== null) {
      await waitAtMost(commit.happened, timeout_ms);
      commit.cancel();
    }
    return isReached() ? E.right(undefined) : E.left({ _tag: 'ReadModelBehind', wanted, reached: position() });
  };
  const follower = followLog(options, {
    onChecked: (found) => {
      resolveMismatch(found);
      gate.setRefusal(found);
      if (found === null) waiters.committed('all');
    },
    onCommitted: waiters.committed,
    // What was read before can still be answered.
    onLost: (reason) => {
      if (!gate.isOpen()) gate.setRefusal(reason);
    },
  });
  const stopped = follower.stopped.then(waiters.end);
  return {
    mismatch,
    queries: createQueries(gate.ask, { reached, change: (of) => (answersAtOnce ? null : waiters.wait(changeOf(of))) }),
    // The file may be rebuilt at any time.
    snapshots: {
      load: (stream) => follower.session().snapshots.load(stream),
      save: (stream, snapshot) => follower.session().snapshots.save(stream, snapshot),
    },
    status: () => ({ position: position(), caught_up: follower.caughtUp(), failure: follower.failure() }),
    endWaits: () => {
      answersAtOnce = true;
      waiters.committed('all');
    },
    close: async () => {
      follower.stop();
      await stopped;
      gate.setRefusal('the read models are closed');
      follower.session().close();
    },
  };
};
