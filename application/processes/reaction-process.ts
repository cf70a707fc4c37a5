import type { Dependencies } from '../application.js';
import { finishErasure } from '../use-cases/erasure/erase.js';
import { reactionsOfProcess } from '../reactions/run.js';
import { reactionFilter } from '../reactions/table.js';
import { processNames } from './done-up-to.js';
import type { Process } from './run-process.js';
import * as E from 'fp-ts/lib/Either.js';
import { storedVersions } from '../../domain/event-catalogue.js';
import type { Failure } from '../failures.js';
import { readLog } from '../audit/read-log.js';
import { readEvent } from '../commands/read-event.js';

/** Runs the reactions to every event of the log, to finish what requests could not. Most have been run already. */
export const reactionProcess = (app: Dependencies): Process => ({
  name: processNames.followUps,
  filter: reactionFilter,
  concurrency: 1,
  react: finishErasure(app, reactionsOfProcess(app)),
});

/**
 * Run at each start: destroys keys of erased media, which a backup may have restored, and finishes interrupted erasures.
 * Returns the number of erasures in the log.
 */
export const finishErasures = async (app: Dependencies): Promise<E.Either<Failure, number>> => {
  const finish = finishErasure(app, reactionsOfProcess(app));
  let erasures = 0;
  for await (const page of readLog(app.store, { types: storedVersions('MediumErased') })) {
    if (E.isLeft(page)) return page;
    for (const stored of page.right) {
      const event = readEvent(stored);
      if (E.isLeft(event)) return event;
      const finished = await finish(event.right)();
      if (E.isLeft(finished)) return finished;
      erasures += 1;
    }
  }
  return E.right(erasures);
};
