import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { ReadModelsUnavailable } from '../../projections/queries.js';
import { isDamage, reasonOf } from './damage.js';
import type { Reader } from './reader.js';

type Answer<A> = E.Either<ReadModelsUnavailable, A>;

/** Rejects queries until the rows are known to be of the log, and once they are closed. */
export interface Gate {
  readonly isOpen: () => boolean;
  readonly open: () => void;
  /** Refuses the questions that wait at a gate that was never open; a gate that is open stays so. */
  readonly refuse: (reason: string) => void;
  /** Refuses questions also when it was open, until the next `open`. */
  readonly shut: (reason: string) => void;
  readonly close: () => void;
  /** Asks the committed rows; questions wait for the first `open` or `refuse`. */
  readonly ask: <A>(question: (reader: Reader) => A) => Promise<Answer<A>>;
}

/** `onDamage` is told when an answer shows that the file is broken. */
export const createGate = (reader: () => Reader, onDamage: (cause: unknown) => void): Gate => {
  let state: 'new' | 'open' | 'refusing' | 'closed' = 'new';
  let reason = 'the log was not asked yet';
  let letThrough: () => void = constVoid;
  const first = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const turn = (next: typeof state): void => {
    state = next;
    letThrough();
  };
  const answer = <A>(question: (reader: Reader) => A): Answer<A> => {
    if (state !== 'open') return E.left({ _tag: 'ReadModelsUnavailable', reason });
    try {
      return E.right(question(reader()));
    } catch (cause) {
      if (isDamage(cause)) onDamage(cause);
      return E.left({ _tag: 'ReadModelsUnavailable', reason: reasonOf(cause) });
    }
  };
  return {
    isOpen: () => state === 'open',
    open: () => turn('open'),
    refuse: (why) => {
      if (state === 'open') return;
      reason = why;
      turn('refusing');
    },
    shut: (why) => {
      reason = why;
      turn('refusing');
    },
    close: () => {
      reason = 'the read models are closed';
      turn('closed');
    },
    ask: (question) => (state === 'new' ? first.then(() => answer(question)) : Promise.resolve(answer(question))),
  };
};
