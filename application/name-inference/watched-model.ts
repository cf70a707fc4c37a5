import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { NameModel } from '../ports/name-model.js';

/** A name model that remembers whether its last answer could be used. */
export const watchedModel = <Model extends NameModel>(model: Model) => {
  let failing = false;
  return {
    model: {
      ...model,
      infer: (question) =>
        pipe(
          model.infer(question),
          TE.bimap(
            (failure) => {
              failing = true;
              return failure;
            },
            (answer) => {
              failing = false;
              return answer;
            },
          ),
        ),
    } satisfies NameModel,
    isFailing: (): boolean => failing,
  };
};
