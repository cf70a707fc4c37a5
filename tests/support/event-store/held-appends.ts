import type { EventStore } from '../../../application/ports/event-store.js';

/** A store that delays the appends to some streams until they are released, all at once. Later appends are not delayed. */
export const heldAppends = (store: EventStore, isToHold: (stream: string) => boolean = () => true) => {
  const waiting: Array<() => void> = [];
  let isHeld = true;
  const append: EventStore['append'] = (...call) => {
    if (!isHeld || !isToHold(call[0])) return store.append(...call);
    const released = new Promise<void>((resolve) => waiting.push(resolve));
    return async () => {
      await released;
      return store.append(...call)();
    };
  };
  return {
    store: { ...store, append },
    held: (): number => waiting.length,
    release: (): number => {
      isHeld = false;
      waiting.forEach((resolve) => resolve());
      return waiting.length;
    },
  };
};
