import type { ResponseInfo } from './errors.js';

/** An answer with its status and headers. */
export interface Answered<Answer> {
  readonly data: Answer;
  readonly response: ResponseInfo;
}

/** A call in progress: a promise of the answer, which also gives its status and headers. */
export class Call<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answered: Promise<Answered<Answer>>;

  constructor(answered: Promise<Answered<Answer>>) {
    this.#answered = answered;
  }

  /** The answer together with status, request id, event position and revision. */
  withResponse(): Promise<Answered<Answer>> {
    return this.#answered;
  }

  // Each derived promise is made only when it is needed: an unused one could cause an unhandled rejection.
  // oxlint-disable-next-line unicorn/no-thenable
  then<Fulfilled = Answer, Rejected = never>(
    onFulfilled?: ((answer: Answer) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answered.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Answer | Rejected> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Answer> {
    return this.#answered.then(({ data }) => data).finally(onFinally);
  }
}

interface AnswerCheck<Answer> {
  readonly accepts: (data: unknown) => data is Answer;
}

/**
 * Checks only that an answer is an object. That it has the type of the operation is assumed, since the types and the answers
 * are made from the same codecs.
 */
export const answerCheck = <Answer>(): AnswerCheck<Answer> => ({
  accepts: (data): data is Answer => typeof data === 'object' && data !== null,
});
