import { isErasing } from '../../domain/event-catalogue.js';
import type { EventStore, StoredEvent } from '../../application/ports/event-store.js';

/** The store, and the erasures among the events that its subscriptions deliver, whichever instance wrote them. */
export const withErasureReports = <Store extends Pick<EventStore, 'subscribe'>>(
  store: Store,
): { readonly store: Store; readonly onErasure: (listener: (event: StoredEvent) => void) => void } => {
  const listeners: Array<(event: StoredEvent) => void> = [];
  const subscribe: EventStore['subscribe'] = (after, filter, handlers) =>
    store.subscribe(after, filter, {
      ...handlers,
      onPage: (page) => {
        for (const event of page.events) if (isErasing(event.type)) listeners.forEach((listener) => listener(event));
        return handlers.onPage(page);
      },
    });
  return { store: { ...store, subscribe }, onErasure: (listener) => void listeners.push(listener) };
};
