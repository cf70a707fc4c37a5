import { constVoid } from 'fp-ts/lib/function.js';
import type { EventFilter, EventStore, Page } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

export interface Route {
  readonly store: EventStore;
  readonly after: Position | null;
  readonly filter: EventFilter;
  /** What it throws ends the route. */
  readonly onPage: (page: Page) => void;
  /** What it throws ends the route. */
  readonly onCaughtUp: () => void;
  /** Ends the route with its reason. */
  readonly signal: AbortSignal;
}

/** Leads the pages of the log to a handler; resolves with what ended it, once no handler runs any more. */
export const follow = async ({ store, after, filter, onPage, onCaughtUp, signal }: Route): Promise<unknown> => {
  let end: (cause: unknown) => void = constVoid;
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      end(cause);
      throw cause;
    }
  };
  if (signal.aborted) return signal.reason;
  signal.addEventListener('abort', () => end(signal.reason), { once: true });
  const subscription = store.subscribe(after, filter, {
    onPage: async (page) => guarded(() => onPage(page)),
    onCaughtUp: () => guarded(onCaughtUp),
    onFailure: (failure) => end(failure),
  });
  const cause = await ended;
  await subscription.close();
  return cause;
};
