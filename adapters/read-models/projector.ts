import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page, StoredEvent } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/read-event.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import type { Session } from './session.js';
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
  /** Commits what is not yet committed: there is no more for now. */
  readonly arrive: () => Promise<void>;
  /** Resolves once nothing is being written. */
  readonly settled: () => Promise<void>;
}

export interface ProjectorSettings {
  /** Whether somebody waits for this position or an earlier one. */
  readonly isWanted: (position: Position) => boolean;
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

/** Work that is done as often as it is asked for, one after the other; after a failure, never again. */
const oneByOne = (work: () => Promise<void>) => {
  let last = Promise.resolve();
  return {
    next: (): Promise<void> => {
      last = last.then(work);
      last.catch(constVoid);
      return last;
    },
    last: (): Promise<void> => last,
  };
};

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
 * no more is kept than two transactions. At the head, each page is committed before the next.
 */
export const createProjector = (
  session: Session,
  { isWanted, onCommitted, mostEvents, mostCharacters }: ProjectorSettings,
): Projector => {
  let { position, log_id, last } = session.progress();
  let [events, pages] = [0, 0];
  let committed_at = performance.now();
  let following = false;

  const commits = oneByOne(async () => {
    if (position === session.progress().position) return;
    [events, pages] = [0, 0];
    committed_at = performance.now();
    onCommitted(await session.commit({ position, log_id, last }));
  });
  /** Lets what is there be written, as soon as what is being written is. */
  const handOver = async (): Promise<void> => {
    const before = commits.last();
    void commits.next();
    await before;
  };
  const projectAll = async (page: Page): Promise<UnreadableEvent | null> => {
    for (const stored of page.events) {
      const unreadable = projectOne(session, stored);
      if (unreadable !== null) return unreadable;
      position = stored.position;
      log_id ??= stored.id;
      last = { position, id: stored.id };
      if (session.unwrittenSize() >= mostCharacters) await handOver();
    }
    position = page.examined ?? position;
    return null;
  };
  return {
    take: async (page) => {
      const unreadable = await projectAll(page);
      events += page.events.length;
      pages += 1;
      const isUrgent = (following && page.events.length < smallPage) || (position !== null && isWanted(position));
      if (isUrgent || unreadable !== null) await commits.next();
      else if (events >= mostEvents || pages >= mostPages || performance.now() - committed_at >= longestDelay)
        await handOver();
      if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    },
    arrive: () => {
      following = true;
      return commits.next();
    },
    settled: () => commits.last().catch(constVoid),
  };
};
