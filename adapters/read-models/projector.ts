import * as E from 'fp-ts/lib/Either.js';
import type { UnreadableEvent } from '../../application/failures.js';
import type { Page } from '../../application/ports/event-store.js';
import { readEvent } from '../../application/read-event.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { projections } from '../../projections/projections.js';
import type { Session } from './session.js';

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
  /** Throws `UnreadableEventFound` at an event that no codec reads; those before it are committed. May throw more. */
  readonly take: (page: Page) => void;
  /** Commits what is not yet committed. May throw. */
  readonly commit: () => void;
}

export interface ProjectorSettings {
  /** Whether somebody waits for this position or an earlier one. */
  readonly isWanted: (position: Position) => boolean;
  readonly onCommitted: () => void;
}

const smallPage = 500;
const mostEvents = 4_000;
const longestDelay = 200;

/**
 * Rows and position are committed together. Far behind the head, several pages share a transaction, so that rows which
 * they have in common are written once; at the head, each page is committed at once.
 */
export const createProjector = (session: Session, { isWanted, onCommitted }: ProjectorSettings): Projector => {
  let { position, log_id } = session.progress();
  let events = 0;
  let committed_at = performance.now();
  let following = false;

  const commit = (): void => {
    if (position === session.progress().position) return;
    session.commit({ position, log_id });
    events = 0;
    committed_at = performance.now();
    onCommitted();
  };
  const isDue = (page: Page): boolean =>
    (following && page.events.length < smallPage) ||
    events >= mostEvents ||
    performance.now() - committed_at >= longestDelay ||
    (position !== null && isWanted(position));
  const project = (page: Page): UnreadableEvent | null => {
    for (const stored of page.events) {
      const recorded = readEvent(stored);
      if (E.isLeft(recorded)) return recorded.left;
      for (const projection of projections) projection.project(session.rows, recorded.right);
      position = stored.position;
      log_id ??= stored.id;
    }
    position = page.examined ?? position;
    return null;
  };
  return {
    take: (page) => {
      const unreadable = project(page);
      events += page.events.length;
      if (unreadable !== null || isDue(page)) commit();
      if (unreadable !== null) throw new UnreadableEventFound(unreadable);
    },
    commit: () => {
      following = true;
      commit();
    },
  };
};
