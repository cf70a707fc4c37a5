import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import type { Aggregates, Application, Dependencies, Perform } from './application.js';
import type { Failure } from './failures.js';
import type { CommandResult } from './commands/handle-command.js';
import { reactionsForRequest } from './reactions/run.js';
import { type RequestContext, commandContext } from './commands/context.js';

/** Runs the reactions to what a command wrote; returns whether they are done. */
type React = (
  app: Dependencies,
  request: RequestContext,
  handled: CommandResult<unknown, DomainEvent>,
) => TE.TaskEither<Failure, boolean>;

const react: React = (app, request, { position, recorded }) => {
  if (position === null) return TE.right(true);
  request.onWrite(position);
  return pipe(
    TE.traverseSeqArray(reactionsForRequest(app, request))(recorded),
    TE.map(() => true),
  );
};

const reactOrLeave: React = (app, request, handled) =>
  pipe(
    react(app, request, handled),
    TE.orElse(({ _tag }) => {
      const { request_id } = request;
      app.log.warn('follow-ups failed; the background process will run them', { request_id, failure: _tag });
      return TE.right<Failure, boolean>(false);
    }),
  );

const performing = (app: Dependencies, then: React): Perform => {
  const all: Aggregates = app;
  return (request, to, id, command, context = commandContext(app.ids, request)) =>
    pipe(
      all[to].handle(id, command, context),
      TE.chainW((handled) =>
        pipe(
          then(app, request, handled),
          TE.map((reacted) => ({ ...handled, reacted })),
        ),
      ),
    );
};

/** The application: handles commands and runs the reactions to their events. */
export const application = (parts: Dependencies): Application => ({
  ...parts,
  perform: performing(parts, reactOrLeave),
  performWithReactions: performing(parts, react),
});
