import * as TE from 'fp-ts/lib/TaskEither.js';
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

const never = (_append: number): boolean => false;

/** A store whose appends can be made to fail. */
export const failingStore = (inner: EventStore): FailingStore => {
  let count = 0;
  let fails = never;
  let onFailure = (): void => undefined;
  const failWhen = (condition: (append: number) => boolean, onFirst = (): void => undefined): void => {
    count = 0;
    fails = condition;
    onFailure = onFirst;
  };
  return {
    store: {
      ...inner,
      append: (stream, expected, events) => async () => {
        const failing = fails(count);
        if (!isKeyClaim(stream)) count += 1;
        if (failing) {
          onFailure();
          onFailure = () => undefined;
        }
        return failing
          ? TE.left({ _tag: 'StoreUnavailable' as const, reason: 'a test made it fail' })()
          : inner.append(stream, expected, events)();
      },
    },
    failAfter: (appends, onFirst) => failWhen((append) => append >= appends, onFirst),
    failOnly: (only) => failWhen((append) => append === only),
    recover: () => failWhen(never),
    appends: () => count,
  };
};
