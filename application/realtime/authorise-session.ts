import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OpenSession } from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { Caller } from '../request-context.js';
import type { NotAuthorised } from '../use-cases/authorise.js';
import { sessionIdOf } from './session-token.js';

interface SessionNotFound {
  readonly _tag: 'SessionNotFound';
}

const notFound: SessionNotFound = { _tag: 'SessionNotFound' };

export interface RunningSession extends OpenSession {
  /** Of its stream. */
  readonly revision: number;
}

/** The session, while it runs and the caller's account made it; an admin passes everywhere. */
export const authoriseSession = (
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
): TE.TaskEither<SessionNotFound | NotAuthorised | Failure, RunningSession> => {
  const session_id = sessionIdOf(id);
  if (session_id === null) return TE.left(notFound);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state, revision }): TE.TaskEither<SessionNotFound | NotAuthorised, RunningSession> => {
      if (state._tag !== 'Open') return TE.left(notFound);
      const may = caller.admin || caller.account_id === state.created.account_id;
      return may ? TE.right({ ...state, revision }) : TE.left({ _tag: 'NotAuthorised', permission: null });
    }),
  );
};
