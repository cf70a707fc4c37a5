import { constVoid } from 'fp-ts/lib/function.js';
import type { EventFilter, EventStore, Page } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

export interface Route {
  readonly store: EventStore;
  readonly after: Position | null;
  readonly filter: EventFilter;
  /** A rejection ends the route. */
  readonly onPage: (page: Page) => Promise<void>;
  /** A rejection ends the route. */
  readonly onCaughtUp: () => Promise<void>;
  /** Ends the route with its reason. */
  readonly signal: AbortSignal;
}

/** Leads the pages of the log to a handler; resolves with what ended it, once no handler runs any more. */
export const follow = async ({ store, after, filter, onPage, onCaughtUp, signal }: Route): Promise<unknown> => {
  let end: (cause: unknown) => void = constVoid;
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  if (signal.aborted) return signal.reason;
  signal.addEventListener('abort', () => end(signal.reason), { once: true });
  const subscription = store.subscribe(after, filter, {
    onPage: (page) =>
      onPage(page).catch((cause: unknown) => {
        end(cause);
        throw cause;
      }),
    onCaughtUp: () => void onCaughtUp().catch(end),
    onFailure: (failure) => end(failure),
  });
  const cause = await ended;
  await subscription.close();
  return cause;
};
