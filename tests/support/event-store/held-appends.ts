import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../../application/ports/event-store.js';

/** A store that delays the appends to some streams until they are released, all at once. Later appends are not delayed. */
export const heldAppends = (store: EventStore, isToHold: (stream: string) => boolean = () => true) => {
  const waiting: Array<(fate: 'keep' | 'lose') => void> = [];
  let isHeld = true;
  const append: EventStore['append'] = (...call) => {
    if (!isHeld || !isToHold(call[0])) return store.append(...call);
    const fate = new Promise<'keep' | 'lose'>((resolve) => waiting.push(resolve));
    return async () =>
      (await fate) === 'keep' ? store.append(...call)() : E.left({ _tag: 'StoreUnavailable', reason: 'lost' });
  };
  return {
    store: { ...store, append },
    held: (): number => waiting.length,
    release: (how: 'keep' | 'lose the first'): number => {
      isHeld = false;
      waiting.forEach((decide, index) => decide(how !== 'keep' && index === 0 ? 'lose' : 'keep'));
      return waiting.length;
    },
  };
};
