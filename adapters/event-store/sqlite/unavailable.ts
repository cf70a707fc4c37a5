import * as E from 'fp-ts/lib/Either.js';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';

/** Whatever was thrown, as the port's failure. */
export const unavailable = (cause: unknown): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: cause instanceof Error ? cause.message : String(cause),
});

/** Runs code that may throw and answers with a value. */
export const attempt = <A>(work: () => A): E.Either<StoreUnavailable, A> => E.tryCatch(work, unavailable);

/** Whether another process holds the lock. */
export const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('SQLITE_BUSY');

/** Whether a row would have repeated what must be unique. */
export const isRepetition = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_CONSTRAINT_UNIQUE';
