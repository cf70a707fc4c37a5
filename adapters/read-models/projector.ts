import { constVoid } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page, StoredEvent } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/commands/read-event.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { type SnapshotsOfLog, snapshotsOfLog } from '../../application/commands/snapshots.js';
import { projections } from '../../projections/projections.js';
import { type DomainEvent, isErasing } from '../../domain/event-catalogue.js';
import { streamCategory, streamId } from '../../domain/kernel/stream-name.js';
import { yieldIfBusy, nextTurn } from '../runtime/event-loop.js';
import { withUnopened } from './progress-row.js';
import type { Session } from './session.js';
import { snapshotRow } from './snapshots.js';

/** Transactions, one after the other. Once one has failed, all that follow fail. */
interface Commits {
  /** Commits what is there; rejects when that fails. */
  readonly now: () => Promise<void>;
  /** Lets what is there be written as soon as what is being written is; resolves once that is. */
  readonly handOver: () => Promise<void>;
  /** Lets what is there be written together with what comes within a moment. */
  readonly soon: () => Promise<void>;
  /** Commits at once what waits for others to share its transaction. */
  readonly hurry: () => void;
  /** Resolves once nothing is being written. Never rejects. */
  readonly settled: () => Promise<void>;
  /** Milliseconds since the last transaction began. */
  readonly age: () => number;
}

/** At the head of the log, a transaction follows the last one after so many milliseconds, unless somebody waits for it. */
const shortestInterval = 25;

/** `commit` says whether there was something to write; `onFailed` is told why what nobody waits for was not. */
const createCommits = (commit: () => Promise<void> | null, onFailed: (cause: unknown) => void): Commits => {
  let last = Promise.resolve();
  let began = performance.now();
  let sooner: NodeJS.Timeout | null = null;
  const begin = (): Promise<void> | null => {
    if (sooner !== null) clearTimeout(sooner);
    sooner = null;
    const written = commit();
    if (written !== null) began = performance.now();
    return written;
  };
  const now = (): Promise<void> => {
    last = last.then(begin).then(constVoid);
    last.catch(constVoid);
    return last;
  };
  const unawaited = (): void => void now().catch(onFailed);
  const handOver = (): Promise<void> => {
    const before = last;
    unawaited();
    return before;
  };
  const age = (): number => performance.now() - began;
  return {
    now,
    handOver,
    soon: () => {
      if (age() >= shortestInterval) return handOver();
      sooner ??= setTimeout(unawaited, shortestInterval - age());
      return Promise.resolve();
    },
    hurry: () => {
      if (sooner !== null) unawaited();
    },
    settled: () => last.catch(constVoid),
    age,
  };
};

/** The projections stop at an event that no codec reads. */
export class UnreadableEventFound extends Error {
  override readonly name = 'UnreadableEventFound';
  readonly event: UnreadableEvent;
  constructor(event: UnreadableEvent) {
    super(event.reason);
    this.event = event;
  }
}

/** Takes the log's pages and makes rows of them. */
interface Projector {
  /** Rejects with `UnreadableEventFound` at an event that no codec reads, once those before it are committed. */
  readonly take: (page: Page) => Promise<void>;
  /** There is no more for now: what came of a long way is committed, what came a moment ago a moment later. */
  readonly arrive: () => Promise<void>;
  /** Commits at once what waits for others to share its transaction. */
  readonly hurry: () => void;
  /** Commits what is not yet committed. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Resolves once nothing is being written. */
  readonly settled: () => Promise<void>;
}

export interface ProjectorSettings {
  /** Whether somebody waits for this position or an earlier one. */
  readonly isWanted: (position: Position) => boolean;
  /** Whether somebody waits for what becomes of this match run. */
  readonly isRunAwaited: (run_id: string) => boolean;
  /** Told why what was projected before could not be committed. */
  readonly onFailed: (cause: unknown) => void;
  /** Told of the match runs that changed. */
  readonly onCommitted: (run_ids: ReadonlyArray<string>) => void;
  /** How many events share a transaction at most, but for the rest of a page. */
  readonly mostEvents: number;
  /** How many characters of rows share a transaction at most, but for the last row. */
  readonly mostCharacters: number;
}

const smallPage = 500;
const longestDelay = 200;
/** A page of large events has about 1 MB, of small ones 1,000 events. */
const mostPages = 4;

const projected = new Set(projections.flatMap(({ categories }) => categories));

type Found = E.Either<UnreadableEvent, RecordedEvent<DomainEvent> | null>;

/**
 * What an event tells the projections and the snapshots; null for neither: such an event is in the index of events alone,
 * and need not be readable.
 */
const toProject = (stored: StoredEvent, snapshots: SnapshotsOfLog | null): Found => {
  const category = streamCategory(stored.stream);
  if (projected.has(category)) return readEvent(stored);
  return snapshots?.categories.has(category) === true
    ? E.orElse((): Found => E.right(null))(readEvent(stored))
    : E.right(null);
};

/**
 * Puts what follows from the events, and tells of each in the same turn; what it is answered is waited for before the
 * next one. To read a large event, to make rows of it and to write these as text are a slice of long work each.
 */
const projectAll = async (
  { rows, index }: Session,
  page: Page,
  snapshotsNow: () => SnapshotsOfLog | null,
  passed: (stored: StoredEvent) => Promise<void> | null,
): Promise<UnreadableEvent | null> => {
  for (const stored of page.events) {
    const snapshots = snapshotsNow();
    const found = toProject(stored, snapshots);
    const read = yieldIfBusy();
    if (read !== null) await read;
    if (E.isLeft(found)) return found.left;
    if (found.right !== null) {
      snapshots?.add(found.right);
      if (projected.has(streamCategory(stored.stream)))
        for (const projection of projections) projection.project(rows, found.right);
    }
    index.put(stored);
    const made = passed(stored);
    if (made !== null) await made;
  }
  return null;
};

/** Snapshots of long streams, made while the rows are made from the first event on; `keep` ends that. */
const snapshotsMade = (session: Session) => {
  let made =
    session.progress().position === null
      ? snapshotsOfLog((stream, snapshot) => session.keep(snapshotRow(stream, snapshot)))
      : null;
  return {
    made: (): SnapshotsOfLog | null => made,
    keep: async (): Promise<void> => {
      const all = made?.keepAll() ?? [];
      made = null;
      // oxlint-disable-next-line no-await-in-loop -- each is work for a turn of its own
      for (const _ of all) await nextTurn();
    },
  };
};

/**
 * Rows and position are committed together. Far behind the head, several pages share a transaction, so that rows which
 * they have in common are written once, and the next events are projected while it is written: of what is not committed
 * no more is kept than two transactions. At the head, what comes within a moment is committed together, or as soon as
 * somebody waits for it.
 */
export const createProjector = (
  session: Session,
  { isWanted, isRunAwaited, onFailed, onCommitted, mostEvents, mostCharacters }: ProjectorSettings,
): Projector => {
  let { position, log_id, last, unopened } = session.progress();
  let [events, pages] = [0, 0];
  let [following, isFar, erases] = [false, true, false];
  const snapshots = snapshotsMade(session);
  const commits = createCommits(() => {
    if (position === session.progress().position) return null;
    const erased = erases;
    [events, pages, erases] = [0, 0, false];
    return session.commit({ position, log_id, last, unopened }, erased).then(onCommitted);
  }, onFailed);
  const passed = (stored: StoredEvent): Promise<void> | null => {
    erases ||= isErasing(stored.type);
    if (stored.withheld === 'key_missing') unopened = withUnopened(unopened, stored);
    position = stored.position;
    log_id ??= stored.id;
    last = { position, id: stored.id };
    return session.unwrittenSize() >= mostCharacters ? commits.handOver() : yieldIfBusy();
  };
  const isAwaited = ({ stream }: StoredEvent): boolean =>
    streamCategory(stream) === 'matchRun' && isRunAwaited(streamId(stream));
  return {
    take: async (page) => {
      const unreadable = await projectAll(session, page, snapshots.made, passed);
      if (unreadable === null) position = page.examined ?? position;
      [events, pages] = [events + page.events.length, pages + 1];
      isFar ||= !following || page.events.length >= smallPage;
      const isUrgent = unreadable !== null || (position !== null && isWanted(position));
      if (isUrgent) await commits.now();
      else if (!isFar) await (page.events.some(isAwaited) ? commits.now() : commits.soon());
      else if (events >= mostEvents || pages >= mostPages || commits.age() >= longestDelay) await commits.handOver();
      if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    },
    arrive: async () => {
      await snapshots.keep();
      const commit = isFar ? commits.now : commits.soon;
      [following, isFar] = [true, false];
      return commit();
    },
    hurry: commits.hurry,
    finish: () => commits.now().catch(constVoid),
    settled: commits.settled,
  };
};
