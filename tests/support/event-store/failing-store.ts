import * as E from 'fp-ts/lib/Either.js';
import { constFalse, constVoid } from 'fp-ts/lib/function.js';
import type { EventStore } from '../../../application/ports/event-store.js';

export interface FailingStore {
  readonly store: EventStore;
  /** From the n-th append on (0: the next) every append fails, as if the process had died there. */
  readonly failAfter: (appends: number, onFirst?: () => void) => void;
  /** Only the n-th append fails. */
  readonly failOnly: (append: number) => void;
  readonly recover: () => void;
  /** How many appends were tried since the last call of one of these functions. */
  readonly appends: () => number;
}

/** Claims of idempotency keys are not part of the written data: these appends fail with the others but are not counted. */
const isKeyClaim = (stream: string): boolean => stream.startsWith('idempotencyKey-');

/** A store whose appends can be made to fail. */
export const failingStore = (inner: EventStore): FailingStore => {
  let count = 0;
  let fails: (append: number) => boolean = constFalse;
  let onFailure = constVoid;
  const failWhen = (condition: typeof fails, onFirst = constVoid): void => {
    count = 0;
    fails = condition;
    onFailure = onFirst;
  };
  const append: EventStore['append'] =
    (stream, ...given) =>
    async () => {
      const isFailing = fails(count);
      if (!isKeyClaim(stream)) count += 1;
      if (!isFailing) return inner.append(stream, ...given)();
      onFailure();
      onFailure = constVoid;
      return E.left({ _tag: 'StoreUnavailable', reason: 'a test made it fail' });
    };
  return {
    store: { ...inner, append },
    failAfter: (appends, onFirst) => failWhen((number) => number >= appends, onFirst),
    failOnly: (only) => failWhen((number) => number === only),
    recover: () => failWhen(constFalse),
    appends: () => count,
  };
};
