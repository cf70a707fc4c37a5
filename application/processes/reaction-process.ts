import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, storedVersions } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { subjectOfStream } from '../../domain/kernel/stream-name.js';
import type { Dependencies } from '../application.js';
import { readLog } from '../audit/read-log.js';
import { readEvent } from '../commands/read-event.js';
import type { Failure } from '../failures.js';
import { reactionsOfProcess } from '../reactions/run.js';
import { reactionFilter } from '../reactions/table.js';
import { type Sweep, sweepNames } from './sweep.js';

/**
 * Runs the reactions to every event of the log, to finish what requests could not: most have been run already. Finishes an
 * interrupted erasure too, and destroys a key that was restored from a backup; the reactions to an erasure run only while
 * the key exists.
 */
export const reactionProcess = (app: Dependencies): Sweep => {
  const react = reactionsOfProcess(app);
  const reactOrErase = (event: RecordedEvent<DomainEvent>): TE.TaskEither<Failure, void> => {
    const subject = event.event.type === 'MediumErased' ? subjectOfStream(event.stream) : null;
    if (subject === null) return react(event);
    return pipe(
      app.keys.isThere(subject),
      TE.chainW((isThere) => (isThere ? react(event) : TE.right(undefined))),
      TE.chainW(() => app.keys.erase(subject)),
      TE.map(constVoid),
    );
  };
  return { name: sweepNames.followUps, filter: reactionFilter, react: reactOrErase };
};

/**
 * Run at each start: destroys keys of erased media, which a backup may have restored, and finishes interrupted erasures.
 * Returns the number of erasures in the log.
 */
export const finishErasures = async (app: Dependencies): Promise<E.Either<Failure, number>> => {
  const { react } = reactionProcess(app);
  let erasures = 0;
  for await (const page of readLog(app.store, { types: storedVersions('MediumErased') })) {
    if (E.isLeft(page)) return page;
    for (const stored of page.right) {
      const event = readEvent(stored);
      if (E.isLeft(event)) return event;
      const finished = await react(event.right)();
      if (E.isLeft(finished)) return finished;
      erasures += 1;
    }
  }
  return E.right(erasures);
};
