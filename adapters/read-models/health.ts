import type { UnreadableEvent } from '../../application/failures.js';
import type { Log } from '../../application/ports/log.js';
import type { ReadModelsUnavailable } from '../../projections/queries.js';
import { reasonOf } from './damage.js';

/** Why the read models stand still: for good at an event that no codec reads, or until something comes back. */
export type ReadModelsFailure = UnreadableEvent | ReadModelsUnavailable;

/** What is wrong now; the operator's log is told once of each loss and recovery. */
export interface Health {
  readonly failure: () => ReadModelsFailure | null;
  readonly recover: () => void;
  readonly lose: (cause: unknown) => void;
  readonly stop: (event: UnreadableEvent) => void;
}

/** `onLost` is told at each failure. */
export const createHealth = (log: Log | undefined, onLost: (reason: string) => void): Health => {
  let failure: ReadModelsFailure | null = null;
  return {
    failure: () => failure,
    recover: () => {
      if (failure !== null) log?.info('the read models follow the log again');
      failure = null;
    },
    lose: (cause) => {
      const reason = reasonOf(cause);
      if (failure === null) log?.warn('the read models cannot follow the log', { reason });
      failure = { _tag: 'ReadModelsUnavailable', reason };
      onLost(reason);
    },
    stop: (event) => {
      const { position, stream, revision, reason } = event;
      log?.error('the read models stop at an event that no codec reads', { position, stream, revision, reason });
      failure = event;
      onLost(reason);
    },
  };
};
