import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page, StoredEvent } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/read-event.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import { createCommits } from './commits.js';
import type { Session } from './session.js';
import { isErasing } from '../../domain/event-catalogue.js';
import { streamCategory } from '../../domain/kernel/stream-name.js';

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
export interface Projector {
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

/** The rest is in the index of events alone: it need not be readable. */
const isProjected = ({ stream }: StoredEvent): boolean => projected.has(streamCategory(stream));

/** Puts what follows from an event; the event itself when no codec reads it. */
const projectOne = ({ rows, index }: Session, stored: StoredEvent): UnreadableEvent | null => {
  if (isProjected(stored)) {
    const recorded = readEvent(stored);
    if (E.isLeft(recorded)) return recorded.left;
    for (const projection of projections) projection.project(rows, recorded.right);
  }
  index.put(stored);
  return null;
};

/**
 * Rows and position are committed together. Far behind the head, several pages share a transaction, so that rows which
 * they have in common are written once, and the next events are projected while it is written: of what is not committed
 * no more is kept than two transactions. At the head, what comes within a moment is committed together, or as soon as
 * somebody waits for it.
 */
export const createProjector = (
  session: Session,
  { isWanted, onFailed, onCommitted, mostEvents, mostCharacters }: ProjectorSettings,
): Projector => {
  let { position, log_id, last } = session.progress();
  let [events, pages] = [0, 0];
  let following = false;
  let [isFar, erases] = [true, false];

  const commits = createCommits(() => {
    if (position === session.progress().position) return null;
    const erased = erases;
    [events, pages, erases] = [0, 0, false];
    return session.commit({ position, log_id, last }, erased).then(onCommitted);
  }, onFailed);
  const projectAll = async (page: Page): Promise<UnreadableEvent | null> => {
    for (const stored of page.events) {
      const unreadable = projectOne(session, stored);
      if (unreadable !== null) return unreadable;
      erases ||= isErasing(stored.type);
      position = stored.position;
      log_id ??= stored.id;
      last = { position, id: stored.id };
      if (session.unwrittenSize() >= mostCharacters) await commits.handOver();
    }
    position = page.examined ?? position;
    return null;
  };
  return {
    take: async (page) => {
      const unreadable = await projectAll(page);
      events += page.events.length;
      pages += 1;
      isFar ||= !following || page.events.length >= smallPage;
      const isUrgent = unreadable !== null || (position !== null && isWanted(position));
      if (isUrgent) await commits.now();
      else if (!isFar) await commits.soon();
      else if (events >= mostEvents || pages >= mostPages || commits.age() >= longestDelay) await commits.handOver();
      if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    },
    arrive: () => {
      following = true;
      if (!isFar) return commits.soon();
      isFar = false;
      return commits.now();
    },
    hurry: commits.hurry,
    finish: () => commits.now().catch(constVoid),
    settled: commits.settled,
  };
};
