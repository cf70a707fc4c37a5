import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type MediumErased, refusalOf } from '../../domain/kernel/erased.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { EndedSession, OpenSession } from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { Folded } from '../commands/snapshots.js';
import type { Caller } from '../commands/context.js';
import type { NotAuthorised } from '../queries/authorise.js';
import { sessionIdOf } from './session-token.js';

interface SessionNotFound {
  readonly _tag: 'SessionNotFound';
}

const notFound: SessionNotFound = { _tag: 'SessionNotFound' };

export interface RunningSession extends OpenSession {
  /** The revision of its stream. */
  readonly revision: number;
}

type Refused = SessionNotFound | NotAuthorised | MediumErased | Failure;

/** A session, if the caller's account created it or the caller is an administrator. */
const authorised = (
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
  isWanted: (state: OpenSession | EndedSession) => boolean,
): TE.TaskEither<Refused, Folded<OpenSession | EndedSession>> => {
  const session_id = sessionIdOf(id);
  if (session_id === null) return TE.left(notFound);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state, revision }): TE.TaskEither<Refused, Folded<OpenSession | EndedSession>> => {
      if (state._tag === 'Uncreated' || (state._tag !== 'Erased' && !isWanted(state))) return TE.left(notFound);
      const owner_id = state._tag === 'Erased' ? state.owner_id : state.created.account_id;
      if (!caller.admin && caller.account_id !== owner_id) return TE.left({ _tag: 'NotAuthorised', needs: 'owner' });
      return state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right({ state, revision });
    }),
  );
};

/** A running session, if the caller may use it. */
export const authoriseSession = (
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
): TE.TaskEither<Refused, RunningSession> =>
  pipe(
    authorised(app, caller, id, ({ _tag }) => _tag === 'Open'),
    TE.chainW(({ state, revision }) =>
      state._tag === 'Open' ? TE.right({ ...state, revision }) : TE.left<Refused>(notFound),
    ),
  );

/** The id of a running or ended session, if the caller may use it. */
export const authoriseSessionId = (
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
): TE.TaskEither<Refused, SessionId> =>
  pipe(
    authorised(app, caller, id, () => true),
    TE.map(({ state }) => state.created.session_id),
  );
