import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Aggregates, Application, Parts, Perform } from '../application.js';
import type { Failure } from '../failures.js';
import type { Handled } from './aggregate.js';
import { reactionsForRequest } from '../reactions/run.js';
import { type RequestContext, commandContext } from './context.js';

const react = (
  app: Parts,
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

const reactOrLeave = (app: Parts, request: RequestContext, handled: Handled<unknown, DomainEvent>) =>
  pipe(
    react(app, request, handled),
    TE.orElse(({ _tag }) => {
      const { request_id } = request;
      app.log.warn('follow-ups are left to the background process', { request_id, failure: _tag });
      return TE.right<Failure, void>(undefined);
    }),
  );

const performing = (app: Parts, then: typeof react): Perform => {
  const all: Aggregates = app;
  return (request, to, id, command, context = commandContext(app.ids, request)) =>
    app.carried_out.during(
      context.causation_id,
      pipe(
        all[to].handle(id, command, context),
        TE.chainFirstW((handled) => then(app, request, handled)),
      ),
    );
};

/** An application that carries out commands and what follows from them. */
export const application = (parts: Parts): Application => ({
  ...parts,
  perform: performing(parts, reactOrLeave),
  performWhole: performing(parts, react),
});
