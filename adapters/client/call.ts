import type { ResponseInfo } from './errors.js';

/** An answer with what it says of itself. */
export interface Answered<Answer> {
  readonly data: Answer;
  readonly response: ResponseInfo;
}

/** A call under way: a promise of the answer, and of what the answer says of itself, such as its event position. */
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

  // A promise of the answer alone is made when somebody waits for it: one that nobody looks at could reject unseen.
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
