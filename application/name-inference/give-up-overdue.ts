import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { storedType } from '../../domain/event-catalogue.js';
import type { Uses } from '../application.js';
import { type Failure, isFailure } from '../failures.js';
import { type Sweep, sweepNames } from '../processes/sweep.js';
import { followUpContext } from '../commands/context.js';

/** Ends a name inference without an answer after its time limit: the instance that started it is gone. */
export const giveUpOverdue = (app: Uses<'clock' | 'ids' | 'nameInferences'>): Sweep => ({
  name: sweepNames.overdueInferences,
  filter: { categories: ['nameInference'], types: [storedType('NameInferenceRequested')] },
  react: (recorded) => {
    const { event } = recorded;
    if (event.type !== 'NameInferenceRequested') return TE.right(undefined);
    const at = app.clock.now();
    return pipe(
      app.nameInferences.load(event.data.run_id),
      TE.chain(({ state }) =>
        state._tag !== 'Requested'
          ? TE.right(undefined)
          : pipe(
              app.nameInferences.handle(
                event.data.run_id,
                { type: 'AbandonInference', at },
                followUpContext(app.ids, recorded, 'overdue', at),
              ),
              TE.match(
                (refusal) => (isFailure(refusal) ? refusal : null),
                () => null,
              ),
              TE.fromTask,
              TE.chain((failure: Failure | null) => (failure === null ? TE.right(undefined) : TE.left(failure))),
            ),
      ),
    );
  },
});
