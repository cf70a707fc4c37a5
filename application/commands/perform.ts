import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Aggregates, Application, Dependencies, Perform } from '../application.js';
import type { Failure } from '../failures.js';
import type { CommandResult } from './aggregate.js';
import { reactionsForRequest } from '../reactions/run.js';
import { type RequestContext, commandContext } from './context.js';

const react = (
  app: Dependencies,
  request: RequestContext,
  { position, recorded }: CommandResult<unknown, DomainEvent>,
): TE.TaskEither<Failure, void> => {
  if (position === null) return TE.right(undefined);
  request.onWrite(position);
  return pipe(
    TE.traverseSeqArray(reactionsForRequest(app, request))(recorded),
    TE.map(() => undefined),
  );
};

const reactOrLeave = (app: Dependencies, request: RequestContext, handled: CommandResult<unknown, DomainEvent>) =>
  pipe(
    react(app, request, handled),
    TE.orElse(({ _tag }) => {
      const { request_id } = request;
      app.log.warn('follow-ups failed; the background process will run them', { request_id, failure: _tag });
      return TE.right<Failure, void>(undefined);
    }),
  );

const performing = (app: Dependencies, then: typeof react): Perform => {
  const all: Aggregates = app;
  return (request, to, id, command, context = commandContext(app.ids, request)) =>
    app.completedReactions.track(
      context.causation_id,
      pipe(
        all[to].handle(id, command, context),
        TE.chainFirstW((handled) => then(app, request, handled)),
      ),
    );
};

/** The application: handles commands and runs the reactions to their events. */
export const application = (parts: Dependencies): Application => ({
  ...parts,
  perform: performing(parts, reactOrLeave),
  performWithReactions: performing(parts, react),
});
