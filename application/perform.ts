import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../domain/event-catalogue.js';
import type { Application } from './application.js';
import type { CommandContext } from './command-context.js';
import type { Failure, RevisionChanged } from './failures.js';
import type { Aggregate, Handled } from './handle-command.js';
import { settle } from './processes/settle.js';
import type { RequestContext } from './request-context.js';

type Perform = <Command, State, Event extends DomainEvent, Refusal>(
  to: Aggregate<Command, State, Event, Refusal>,
  id: string,
  command: Command,
  context: CommandContext,
) => TE.TaskEither<Refusal | RevisionChanged | Failure, Handled<State, Event>>;

const settled = (
  app: Application,
  request: RequestContext,
  { position, recorded }: Handled<unknown, DomainEvent>,
): TE.TaskEither<Failure, void> => {
  if (position === null) return TE.right(undefined);
  request.wrote(position);
  return pipe(
    TE.traverseSeqArray(settle(app, request))(recorded),
    TE.map(() => undefined),
  );
};

/**
 * Gives an aggregate a command on behalf of a request, and settles in other streams what follows from it. What was
 * decided stands even when settling fails: the process that settles every event of the log finishes it.
 */
export const perform =
  (app: Application, request: RequestContext): Perform =>
  (to, id, command, context) =>
    pipe(
      to.handle(id, command, context),
      TE.chainFirstTaskK((handled) =>
        pipe(
          settled(app, request, handled),
          TE.match(
            ({ _tag }) =>
              app.log.warn('left to the follow-up process', { request_id: request.request_id, failure: _tag }),
            () => undefined,
          ),
        ),
      ),
    );

/** The same where the answer may not leave before everything is settled, such as a charge. */
export const performSettled =
  (app: Application, request: RequestContext): Perform =>
  (to, id, command, context) =>
    pipe(
      to.handle(id, command, context),
      TE.chainFirstW((handled) => settled(app, request, handled)),
    );
