import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore, StoreUnavailable } from '../../application/ports/event-store.js';

export interface RefusableStore {
  readonly store: EventStore;
  /** From now on everything is refused with this reason: the log is not to be trusted. */
  readonly refuse: (reason: string) => void;
  readonly refusedBecause: () => string | null;
}

/** A store that can be made to refuse everything, when its file is found damaged while it is in use. */
export const refusableStore = (store: EventStore): RefusableStore => {
  let refusal: StoreUnavailable | null = null;
  const guard =
    <E, A>(work: TE.TaskEither<E | StoreUnavailable, A>): TE.TaskEither<E | StoreUnavailable, A> =>
    () =>
      refusal === null ? work() : TE.left(refusal)();
  return {
    refuse: (reason) => {
      refusal = { _tag: 'StoreUnavailable', reason };
    },
    refusedBecause: () => refusal?.reason ?? null,
    store: {
      ...store,
      append: (...given) => guard(store.append(...given)),
      read: (...wanted) => guard(store.read(...wanted)),
      readAll: (...wanted) => guard(store.readAll(...wanted)),
      head: () => guard(store.head()),
    },
  };
};
