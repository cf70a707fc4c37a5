import type {
  EventFilter,
  EventStore,
  Page,
  StoredEvent,
  Subscription,
} from '../../../application/ports/event-store.js';
import { until } from './outcomes.js';

/** A subscription that records every event, page and failure that it receives. */
interface Follower {
  readonly events: StoredEvent[];
  readonly pages: Page[];
  readonly failures: unknown[];
  readonly caughtUp: () => number;
  readonly received: (count: number) => Promise<void>;
  readonly close: Subscription['close'];
}

/** Subscribes. Each page is recorded first, then passed to `onPage`. */
export const follow = (
  store: EventStore,
  after: string | null,
  filter: EventFilter,
  onPage: (page: Page) => Promise<void> = () => Promise.resolve(),
): Follower => {
  const events: StoredEvent[] = [];
  const pages: Page[] = [];
  const failures: unknown[] = [];
  let caughtUp = 0;
  const { close } = store.subscribe(after, filter, {
    onPage: (page) => {
      pages.push(page);
      events.push(...page.events);
      return onPage(page);
    },
    onCaughtUp: () => (caughtUp += 1),
    onFailure: (failure) => failures.push(failure),
  });
  const received = (count: number): Promise<void> =>
    until(`${count} events received`, () => events.length >= count || failures.length > 0);
  return { events, pages, failures, caughtUp: () => caughtUp, received, close };
};
