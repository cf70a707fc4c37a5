import { constVoid } from 'fp-ts/lib/function.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Snapshots } from '../../application/ports/snapshots.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import type { Queries } from '../../projections/queries.js';
import { type AttemptSettings, attempt } from './attempt.js';
import { DamagedFile } from './damage.js';
import { keepFollowing, type ReadModelsFailure, createHealth } from './follower.js';
import { createGate, createQueries } from './queries.js';
import { type OpenFile, openFile } from './open-file.js';
import type { ReadModelsProgress } from './progress-report.js';
import { shapeOf } from './schema.js';
import { readSnapshot, snapshotRow } from './snapshots.js';
import { createWaiters } from './waiters.js';

export interface ReadModelsOptions {
  /** The file of the rows; it is created when missing, but its folder is not. It may be deleted at any time. */
  readonly file: string;
  readonly store: EventStore;
  readonly log?: Log;
  /** Called about once a second while catching up with the log. */
  readonly onProgress?: (progress: ReadModelsProgress) => void;
  /** The versions of the projections; if the file has others, it is rebuilt. */
  readonly versions?: ReadonlyArray<{ readonly name: string; readonly version: number }>;
  /** The maximum number of events in a transaction while catching up; default 4,000. */
  readonly eventsPerTransaction?: number;
  /** The maximum number of characters of rows in a transaction; default 8 million. */
  readonly charactersPerTransaction?: number;
  /**
   * Whether to rebuild when the log does not contain the events that the rows were made from, instead of refusing every
   * query.
   */
  readonly acceptLog?: boolean;
  /** How often to check whether missing keys are available again, in milliseconds; default 30 s. */
  readonly keyRetryMs?: number;
  /** Why the file must be rebuilt, if that is known beforehand; else null. */
  readonly damage?: string | null;
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
  /** Rebuilds the rows from the log, because they were found damaged. */
  readonly rebuild: (reason: string) => void;
  /** Answers everyone who waits for a match run with its current state, from now on. */
  readonly endWaits: () => void;
  /** Resolves once nothing is running; from then on queries are refused. */
  readonly close: () => Promise<void>;
}

/** The file may be rebuilt or closed at any time. */
const snapshotsIn = (file: OpenFile): Snapshots => ({
  load: (stream) => async () => {
    try {
      return readSnapshot(file.session().db, stream);
    } catch {
      return null;
    }
  },
  save: (stream, snapshot) => file.session().keep(snapshotRow(stream, snapshot)),
});

/** A promise and the function that resolves it. */
const deferred = <Value>() => {
  let resolve: (value: Value) => void = constVoid;
  const promise = new Promise<Value>((tell) => {
    resolve = tell;
  });
  return { promise, resolve };
};

const withDefaults = (options: ReadModelsOptions) => ({
  store: options.store,
  log: options.log,
  onProgress: options.onProgress,
  acceptLog: options.acceptLog ?? false,
  maxEvents: options.eventsPerTransaction ?? 4_000,
  maxCharacters: options.charactersPerTransaction ?? 8_000_000,
  keyRetryMs: options.keyRetryMs ?? 30_000,
});

/**
 * Opens the read models and lets them follow the log from their position. A missing or damaged file, or one of other
 * projection versions, is rebuilt from the first event; so is one of another log if `acceptLog` is set. Throws when the
 * file cannot be used at all.
 */
export const openReadModels = (options: ReadModelsOptions): ReadModels => {
  const { log, versions = projections, damage = null } = options;
  const { promise: mismatch, resolve: resolveMismatch } = deferred<string | null>();
  const file = openFile(options.file, shapeOf(versions), damage);
  const gate = createGate(file.reader, (cause) => follower.interrupt(cause));
  let caught_up = false;
  const position = (): Position | null => (gate.isOpen() ? file.session().progress().position : null);
  const waiters = createWaiters(position);
  const settings: AttemptSettings = {
    ...withDefaults(options),
    file,
    isWanted: waiters.wants,
    isRunAwaited: waiters.changes.isRunAwaited,
    whenWanted: waiters.whenWanted,
    onCommitted: waiters.wake,
    onChecked: (reason) => {
      resolveMismatch(reason);
      if (reason !== null) return gate.shut(reason);
      gate.open();
      follower.recovered();
      waiters.wake();
      waiters.changes.allChanged();
    },
    onCaughtUp: (caughtUp) => void (caught_up = caughtUp),
  };
  const health = createHealth(log, (reason) => {
    caught_up = false;
    gate.refuse(reason);
  });
  const follower = keepFollowing({
    once: (signal) => attempt(settings, signal),
    health,
    discard: () => file.session().forget(),
    rebuild: file.rebuild,
    onStopped: waiters.end,
  });
  return {
    mismatch,
    rebuild: (reason) => follower.interrupt(new DamagedFile(reason)),
    queries: createQueries({ ask: gate.ask, reached: waiters.wait, change: waiters.changes.next }),
    snapshots: snapshotsIn(file),
    status: () => ({ position: position(), caught_up, failure: health.failure() }),
    endWaits: waiters.changes.end,
    close: () => follower.close().then(gate.close).then(file.close),
  };
};
