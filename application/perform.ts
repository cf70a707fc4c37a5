import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import type { Application } from './application.js';
import type { Failure, RevisionChanged } from './failures.js';
import type { CommandContext } from './command-context.js';
import type { Aggregate, Handled } from './handle-command.js';
import { settle } from './processes/settle.js';
import type { RequestContext } from './request-context.js';

/**
 * Gives an aggregate a command on behalf of a request, and settles in other streams what follows from it. What was
 * decided stands even when settling fails: the process that settles every event of the log finishes it.
 */
export const perform =
  (app: Application, request: RequestContext) =>
  <Command, State, Event extends DomainEvent, Refusal>(
    to: Aggregate<Command, State, Event, Refusal>,
    id: string,
    command: Command,
    context: CommandContext,
  ): TE.TaskEither<Refusal | RevisionChanged | Failure, Handled<State, Event>> =>
    pipe(
      to.handle(id, command, context),
      TE.chainFirstTaskK((handled) => {
        if (handled.position === null) return async () => undefined;
        request.wrote(handled.position);
        return pipe(
          TE.traverseSeqArray(settle(app, request.wrote))(handled.recorded),
          TE.match(
            (failure) =>
              app.log.warn('left to the follow-up process', { request_id: request.request_id, failure: failure._tag }),
            () => undefined,
          ),
        );
      }),
    );
