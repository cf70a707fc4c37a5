import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RequestContext } from '../../application/commands/context.js';
import { checkRevision } from '../../application/commands/handle-command.js';
import type { Checks, Finder, Once, RefusalTag } from './endpoint.js';
import type { Refusal } from './refusals/refusals.js';

/**
 * Checks the preconditions, before anything else that depends on the state of the record, and before the idempotency key
 * is claimed. The command checks the revision once more when it is decided.
 */
export const admitted = <Found>(
  { admit }: Pick<Checks, 'admit'>,
  { isBegun }: Pick<Once, 'isBegun'>,
  { revisionOf }: Pick<Finder<Found, RefusalTag>, 'revisionOf'>,
  found: Found,
): TE.TaskEither<Refusal, RequestContext> =>
  pipe(
    admit,
    TE.chainFirst(({ if_match }): TE.TaskEither<Refusal, void> =>
      if_match === null || revisionOf === undefined
        ? TE.right(undefined)
        : pipe(
            revisionOf(found),
            TE.chainEitherKW((revision) => checkRevision(if_match, revision)),
            TE.orElse((refusal): TE.TaskEither<Refusal, void> =>
              pipe(
                isBegun,
                TE.chain((begun) => (begun ? TE.right(undefined) : TE.left<Refusal>(refusal))),
              ),
            ),
          ),
    ),
  );
