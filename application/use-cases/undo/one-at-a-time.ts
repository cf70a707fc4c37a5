import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { IdempotencyKeyCommand } from '../../../domain/idempotency-key/contract.js';
import { InstanceId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import { type Failure, isFailure } from '../../failures.js';
import { newId } from '../../ports/ids.js';
import { type RequestContext, anyRevision, commandContext } from '../../commands/context.js';

const pause = T.delay(50)(T.of(undefined));

/**
 * A lock over all instances: one request at a time may undo a change of two records. A request at each record would be
 * decided on a different stream, so a third stream holds the lock. It expires half a minute after a crash.
 */
export const oneAtATime = <Refusal, Done>(
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log'>,
  request: RequestContext,
  change_id: string,
  work: TE.TaskEither<Refusal, Done>,
): TE.TaskEither<Refusal | Failure, Done> => {
  const id = app.ids.digest(`undo ${change_id}`);
  const write_id = app.ids.random();
  const process_id = write_id;
  const worker = { instance_id: newId(app.ids, InstanceId), process_id };
  const { account_id } = request.caller;
  const handle = (command: IdempotencyKeyCommand) => {
    // With ids of its own: a repetition of the request takes its turn again.
    const { write: _write, ...own } = anyRevision(request);
    return pipe(
      app.idempotencyKeys.handle(id, command, commandContext(app.ids, own)),
      TE.chainFirstIOK(({ position }) => () => {
        if (position !== null) request.onKeyWrite(position);
      }),
    );
  };
  const claim = (): TE.TaskEither<Failure, string> =>
    pipe(
      handle({ type: 'ClaimWrite', account_id, write_id, request_digest: 'undo', ...worker, at: app.clock.now() }),
      TE.map(({ state: { holder } }) => holder?.write_id ?? write_id),
      TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : pipe(TE.fromTask(pause), TE.chain(claim)))),
    );
  const release = (held: string): T.Task<void> =>
    pipe(
      handle({ type: 'ReleaseWrite', process_id, write_id: held, may_be_written: false, at: app.clock.now() }),
      TE.match(
        ({ _tag }) =>
          app.log.warn('the lock for undoing a change was not released', {
            request_id: request.request_id,
            failure: _tag,
          }),
        constVoid,
      ),
    );
  return pipe(
    claim(),
    TE.chainW((held) =>
      pipe(
        TE.fromTask(work),
        TE.chainFirstTaskK(() => release(held)),
        TE.chainW((done) => TE.fromEither(done)),
      ),
    ),
  );
};
