import * as E from 'fp-ts/lib/Either.js';
import { waitAtMost } from '../runtime/deadline.js';
import type { Change, Wake } from '../../projections/queries.js';

/** What is asked again and again, and when. Times in milliseconds. */
interface Waiting<Refused, Answer> {
  readonly ask: () => Promise<E.Either<Refused, Answer>>;
  /** After a change, or null after some time without one; absent: as at first. */
  readonly askAgain?: (wake: Wake | null) => Promise<E.Either<Refused, Answer>>;
  readonly isReady: (answer: Answer) => boolean;
  /** After what time the answer may be another without any change; null where only a change makes it one. */
  readonly laterAfter: (answer: Answer) => number | null;
  /** The next change after which it is worth asking; null when none will come any more. */
  readonly nextChange: () => Change | null;
  readonly patience: number;
}

/** Answers as soon as the answer is ready, or as it stands once patience is at its end. Costs nothing in between. */
export const waitUntil = async <Refused, Answer>({
  ask,
  askAgain = ask,
  isReady,
  laterAfter,
  nextChange,
  patience,
}: Waiting<Refused, Answer>): Promise<E.Either<Refused, Answer>> => {
  const deadline = performance.now() + patience;
  let next = ask;
  for (;;) {
    // Listening begins before the question, so that no change between the two is missed.
    const change = nextChange();
    const answer = await next();
    const left = deadline - performance.now();
    if (change === null || left <= 0 || E.isLeft(answer) || isReady(answer.right)) {
      change?.cancel();
      return answer;
    }
    const wake = await waitAtMost(change.happened, Math.min(left, laterAfter(answer.right) ?? left));
    change.cancel();
    next = () => askAgain(wake);
  }
};
