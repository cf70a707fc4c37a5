import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type MediumErased, refusalOf } from '../../domain/kernel/erased.js';
import { SessionId } from '../../domain/kernel/ids.js';
import { type EndedSession, type OpenSession, isValidToken } from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../failures.js';
import type { Folded } from '../commands/snapshots.js';
import { type Caller, type RequestContext, sessionCaller } from '../commands/context.js';
import type { NotAuthorised } from '../queries/authorise.js';
import type { Ids } from '../ports/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import { type RealtimeSessionRefusal, isRealtimeSessionRefusal } from '../../domain/realtime-session/contract.js';
import type { Realtime } from './realtime.js';

export interface RenewedToken {
  readonly token: string;
  readonly token_expires_at: Timestamp;
}

/** POST …/token: another token of a running session. Earlier ones stay valid until they expire. */
export const renewToken = (
  app: Uses<'ids' | 'perform'>,
  { settings }: Realtime,
  request: RequestContext,
  { created: { session_id, expires_at } }: RunningSession,
): TE.TaskEither<
  Extract<RealtimeSessionRefusal, { _tag: 'SessionNotFound' | 'TooManyTokens' }> | RevisionChanged | Failure,
  RenewedToken
> => {
  const { at } = request;
  const token = sessionToken(app.ids, session_id);
  const wanted = secondsAfter(at, settings.token_seconds);
  const token_expires_at = wanted < expires_at ? wanted : expires_at;
  return pipe(
    app.perform(request, 'realtimeSessions', session_id, {
      type: 'IssueToken',
      token_hash: app.ids.digest(token),
      token_expires_at,
      at,
    }),
    narrowRefusal(isRealtimeSessionRefusal('SessionNotFound', 'TooManyTokens')),
    TE.map(() => ({ token, token_expires_at })),
  );
};

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

/** A new token of a session: its id and 256 random bits. */
export const sessionToken = ({ token }: Ids, session_id: SessionId): string => `${session_id}.${token()}`;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The text as a session id; null if it is not one. */
export const sessionIdOf = (text: string): SessionId | null => (uuid.test(text) && SessionId.is(text) ? text : null);

/** The session id in a token; null if the text is not a session token. */
export const sessionOfToken = (token: string): SessionId | null =>
  token.length > 200 ? null : sessionIdOf(token.split('.', 1)[0] ?? '');

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
