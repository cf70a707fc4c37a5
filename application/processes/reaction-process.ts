import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, storedVersions } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { subjectOfStream } from '../../domain/kernel/stream-name.js';
import type { Uses, Dependencies } from '../application.js';
import { reactionsOfProcess } from '../reactions/run.js';
import { reactionFilter } from '../reactions/table.js';
import { processNames } from './done-up-to.js';
import type { Process } from './run-process.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Failure } from '../failures.js';
import { readLog } from '../audit/read-log.js';
import { readEvent } from '../commands/read-event.js';

/**
 * Finishes an interrupted erasure, and destroys a key that was restored from a backup. `react` runs the reactions to an
 * event; those to an erasure run only while the key exists.
 */
const finishErasure =
  (app: Uses<'keys'>, react: (event: RecordedEvent<DomainEvent>) => TE.TaskEither<Failure, void>) =>
  (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const subject = event.event.type === 'MediumErased' ? subjectOfStream(event.stream) : null;
    if (subject === null) return react(event);
    return pipe(
      app.keys.isThere(subject),
      TE.chainW((isThere) => (isThere ? react(event) : TE.right(undefined))),
      TE.chainW(() => app.keys.erase(subject)),
      TE.map(constVoid),
    );
  };

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
