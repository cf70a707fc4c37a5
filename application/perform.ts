import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import type { Application } from './application.js';
import type { CommandContext } from './command-context.js';
import type { Failure, RevisionChanged } from './failures.js';
import type { Aggregate, Handled } from './handle-command.js';
import { reactionsForRequest } from './reactions/run.js';
import type { RequestContext } from './request-context.js';

type Perform = <Command, State, Event extends DomainEvent, Refusal>(
  to: Aggregate<Command, State, Event, Refusal>,
  id: string,
  command: Command,
  context: CommandContext,
) => TE.TaskEither<Refusal | RevisionChanged | Failure, Handled<State, Event>>;

const react = (
  app: Application,
  request: RequestContext,
  { position, recorded }: Handled<unknown, DomainEvent>,
): TE.TaskEither<Failure, void> => {
  if (position === null) return TE.right(undefined);
  request.wrote(position);
  return pipe(
    TE.traverseSeqArray(reactionsForRequest(app, request))(recorded),
    TE.map(() => undefined),
  );
};

/**
 * Gives an aggregate a command on behalf of a request, and runs the reactions to what it made happen. What was
 * decided stands even when these fail: the process that runs them for every event of the log finishes them.
 */
export const perform =
  (app: Application, request: RequestContext): Perform =>
  (to, id, command, context) =>
    pipe(
      to.handle(id, command, context),
      TE.chainFirstTaskK((handled) =>
        pipe(
          react(app, request, handled),
          TE.match(
            ({ _tag }) =>
              app.log.warn('follow-ups are left to the background process', {
                request_id: request.request_id,
                failure: _tag,
              }),
            () => undefined,
          ),
        ),
      ),
    );

/** The same where the answer may not leave before the reactions are done, such as a charge. */
export const performWhole =
  (app: Application, request: RequestContext): Perform =>
  (to, id, command, context) =>
    pipe(
      to.handle(id, command, context),
      TE.chainFirstW((handled) => react(app, request, handled)),
    );
