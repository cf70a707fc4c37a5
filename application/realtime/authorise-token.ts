import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isValidToken } from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import { type Caller, sessionCaller } from '../commands/context.js';
import { sessionOfToken } from './session-token.js';

/** The token is not one of this session, or has expired. */
export interface InvalidSessionToken {
  readonly _tag: 'InvalidSessionToken';
}

const invalid: InvalidSessionToken = { _tag: 'InvalidSessionToken' };

/** Whether a bearer token has the form of a session token, rather than of an API key. */
export const isSessionToken = (token: string): boolean => sessionOfToken(token) !== null;

/** The caller that a session token stands for, in a request about the session with this id. */
export const authoriseToken = (
  app: Uses<'clock' | 'ids' | 'realtimeSessions'>,
  token: string,
  id: string,
): TE.TaskEither<InvalidSessionToken | Failure, Caller> => {
  const session_id = sessionOfToken(token);
  if (session_id === null || session_id !== id) return TE.left(invalid);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state }) =>
      isValidToken(state, app.ids.digest(token), app.clock.now()) && 'created' in state
        ? TE.right(sessionCaller(session_id, state.created.account_id))
        : TE.left(invalid),
    ),
  );
};
