import type { ResponseInfo } from './errors.js';

/** An answer with its status and headers. */
export interface Answered<Answer> {
  readonly data: Answer;
  readonly response: ResponseInfo;
}

/** A call in progress: a promise of the answer, which also gives its status and headers. */
export interface Call<Answer> extends Promise<Answer> {
  /** The answer together with status, request id, event position and revision. */
  withResponse(): Promise<Answered<Answer>>;
}

/** The call that ends with this answer. */
export const callOf = <Answer>(answered: Promise<Answered<Answer>>): Call<Answer> => {
  const answer = answered.then(({ data }) => data);
  const withResponse = (): Promise<Answered<Answer>> => {
    // Who asks for both handles the rejection of both.
    answer.catch(() => undefined);
    return answered;
  };
  return Object.assign(answer, { withResponse });
};
