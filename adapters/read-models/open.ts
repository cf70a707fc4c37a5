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
  /** The file of the rows; it is created when missing, its folder is not. It may be deleted at any time. */
  readonly file: string;
  readonly store: EventStore;
  readonly log?: Log;
  /** Told about once a second on the way to the head of the log. */
  readonly onProgress?: (progress: ReadModelsProgress) => void;
  /** The versions of the projections that the rows come from; another one than the file's makes it anew. */
  readonly versions?: ReadonlyArray<{ readonly name: string; readonly version: number }>;
  /** How many events share a transaction far behind the head of the log; 4,000 unless told. */
  readonly eventsPerTransaction?: number;
  /** How many characters of rows do; 8 million unless told. */
  readonly charactersPerTransaction?: number;
  /** Makes the rows anew when the log does not hold what they were made from, instead of refusing every question. */
  readonly acceptLog?: boolean;
  /** How often keys that were missing when events were read are looked for, in ms; 30 s unless told. */
  readonly keysLookedFor_ms?: number;
  /** Why the file has to be made anew, where that is known before; else null. */
  readonly damage?: string | null;
}

export interface ReadModelsStatus {
  /** The position that all answers are as of. */
  readonly position: Position | null;
  /** Whether the head of the log was reached and no large part of it has come since. */
  readonly caught_up: boolean;
  readonly failure: ReadModelsFailure | null;
}

export interface ReadModels {
  readonly queries: Queries;
  readonly snapshots: Snapshots;
  readonly status: () => ReadModelsStatus;
  /** Why the log is not the one that the rows were made from; null when it is. Known once the store has answered. */
  readonly mismatch: Promise<string | null>;
  /** Makes the rows anew from the log, because something outside has found them damaged. */
  readonly makeAnew: (reason: string) => void;
  /** Answers all who wait for a match run as things stand, now and from then on. */
  readonly endWaits: () => void;
  /** Resolves once nothing runs any more; from then on queries are refused. */
  readonly close: () => Promise<void>;
}

/** The file may be made anew, or closed, at any time. */
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

/** A promise, and what resolves it. */
const toBeTold = <Value>() => {
  let resolve: (value: Value) => void = constVoid;
  const promise = new Promise<Value>((tell) => {
    resolve = tell;
  });
  return { promise, resolve };
};

const asked = (options: ReadModelsOptions) => ({
  store: options.store,
  log: options.log,
  onProgress: options.onProgress,
  acceptLog: options.acceptLog ?? false,
  mostEvents: options.eventsPerTransaction ?? 4_000,
  mostCharacters: options.charactersPerTransaction ?? 8_000_000,
  keysLookedFor_ms: options.keysLookedFor_ms ?? 30_000,
});

/**
 * Opens the read models and lets them follow the log from where they were. A file that is missing, broken or of
 * other projections is made anew from the first event; so is one of another log, when it is said that this log is accepted.
 * Throws when the file cannot be used at all.
 */
export const openReadModels = (options: ReadModelsOptions): ReadModels => {
  const { log, versions = projections, damage = null } = options;
  const { promise: mismatch, resolve: tellMismatch } = toBeTold<string | null>();
  const file = openFile(options.file, shapeOf(versions), damage);
  const gate = createGate(file.reader, (cause) => follower.interrupt(cause));
  let caught_up = false;
  const position = (): Position | null => (gate.isOpen() ? file.session().progress().position : null);
  const waiters = createWaiters(position);
  const settings: AttemptSettings = {
    ...asked(options),
    file,
    isWanted: waiters.wants,
    isRunAwaited: waiters.runs.isAwaited,
    whenWanted: waiters.whenWanted,
    onCommitted: waiters.wake,
    onChecked: (reason) => {
      tellMismatch(reason);
      if (reason !== null) return gate.shut(reason);
      gate.open();
      follower.isWell();
      waiters.wake();
      waiters.runs.allChanged();
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
    takeBack: () => file.session().forget(),
    makeAnew: file.makeAnew,
    onStopped: waiters.end,
  });
  return {
    mismatch,
    makeAnew: (reason) => follower.interrupt(new DamagedFile(reason)),
    queries: createQueries({ ask: gate.ask, reached: waiters.wait, runChange: waiters.runs.next }),
    snapshots: snapshotsIn(file),
    status: () => ({ position: position(), caught_up, failure: health.failure() }),
    endWaits: waiters.runs.end,
    close: () => follower.close().then(gate.close).then(file.close),
  };
};
