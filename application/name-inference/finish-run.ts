import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { Dependencies } from '../application.js';
import type { Failure } from '../failures.js';
import { reactionsForRequest } from '../reactions/run.js';
import type { RequestContext } from '../commands/context.js';
import { readHistoryPage } from '../queries/history.js';

/** Asked, and answered or failed. */
const longestRun = 10;

/** Makes sure that an answered run is charged and written, also when it was cut off right after its answer. */
export const finishRun = (app: Dependencies, request: RequestContext, run_id: RunId): TE.TaskEither<Failure, void> =>
  pipe(
    readHistoryPage(app.store, `nameInference-${run_id}`, -1, longestRun),
    TE.chain(TE.traverseSeqArray(reactionsForRequest(app, request))),
    TE.map(() => undefined),
  );
