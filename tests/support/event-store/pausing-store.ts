import { once } from 'node:events';
import type { EventStore } from '../../../application/ports/event-store.js';

export interface PausingStore {
  readonly store: EventStore;
  /** Resolves once an append is paused. */
  readonly paused: Promise<void>;
  readonly goOn: () => void;
}

/** A store that pauses the first append to a stream of a category until `goOn` is called. */
export const pausingStore = (inner: EventStore, category: string): PausingStore => {
  const moments = new EventTarget();
  const moment = (name: string): Promise<void> => once(moments, name).then(() => undefined);
  const [paused, goesOn] = [moment('paused'), moment('goes on')];
  return {
    store: {
      ...inner,
      append: (stream, expected, events) => async () => {
        if (stream.startsWith(`${category}-`)) {
          moments.dispatchEvent(new Event('paused'));
          await goesOn;
        }
        return inner.append(stream, expected, events)();
      },
    },
    paused,
    goOn: () => void moments.dispatchEvent(new Event('goes on')),
  };
};
