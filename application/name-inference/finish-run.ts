import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { Dependencies } from '../application.js';
import type { Failure } from '../failures.js';
import { reactionsForRequest } from '../reactions/run.js';
import type { RequestContext } from '../commands/context.js';
import { readHistoryPage } from '../queries/history.js';

/** More than the events of a run: requested, then answered or failed. */
const maxEvents = 10;

/** Runs the reactions to a run's events, so that it is charged and written even if it was interrupted after its answer. */
export const finishRun = (app: Dependencies, request: RequestContext, run_id: RunId): TE.TaskEither<Failure, void> =>
  pipe(
    readHistoryPage(app.store, `nameInference-${run_id}`, -1, maxEvents),
    TE.chain(TE.traverseSeqArray(reactionsForRequest(app, request))),
    TE.map(() => undefined),
  );
