import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Checkpoints } from '../ports/checkpoints.js';
import type { StoreUnavailable } from '../ports/event-store.js';
import { doneUpTo, processNames } from '../processes/done-up-to.js';

interface Carried {
  /** Told in order where events of the source are in the target. */
  readonly passed: (source: Position | null, target: Position | null) => void;
  readonly save: () => Promise<E.Either<StoreUnavailable, void>>;
}

/**
 * Carries over to a copy of a log what its processes have done, so that they need not look at all of it again. Where
 * nothing is known they begin at the first event.
 */
export const carriedCheckpoints = async ({
  from,
  to,
}: {
  readonly from: Checkpoints;
  readonly to: Checkpoints;
}): Promise<E.Either<StoreUnavailable, Carried>> => {
  const marks: Array<{ readonly name: string; readonly done: Position; reached: Position | null }> = [];
  for (const name of Object.values(processNames)) {
    const done = await doneUpTo(from, name)();
    if (E.isLeft(done)) return done;
    if (done.right !== null) marks.push({ name, done: done.right, reached: null });
  }
  return E.right({
    passed: (source, target) =>
      marks.forEach((mark) => {
        if (source !== null && source <= mark.done) mark.reached = target ?? mark.reached;
      }),
    save: async () => {
      for (const { name, reached } of marks) {
        const saved = reached === null ? E.right(undefined) : await to.save(name, reached)();
        if (E.isLeft(saved)) return saved;
      }
      return E.right(undefined);
    },
  });
};
