import type { Tagged } from '../../domain/kernel/decider.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { creditLeft } from '../../domain/credit-account/state.js';
import { type Credits, zeroCredits } from '../../domain/kernel/credits.js';
import { type AccountId, SessionId } from '../../domain/kernel/ids.js';
import {
  type EndedSession,
  type OpenSession,
  type RealtimeSessionState,
  isValidToken,
} from '../../domain/realtime-session/decider.js';
import type { SessionNotFound } from '../../domain/realtime-session/contract.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { ResultsListener } from './results-frames.js';
import { type LiveSession, type Realtime, isHeldHere } from './realtime.js';
import { proceed } from './proceed.js';
import { type MediumErased, refusalOf } from '../../domain/kernel/erased.js';
import type { Folded } from '../commands/handle-command.js';
import { type Caller, type RequestContext, sessionCaller } from '../commands/context.js';
import type { NotAuthorised } from '../queries/request-checks.js';
import type { Ids } from '../ports/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';

/** POST …/token: another token of a running session. Earlier ones stay valid until they expire. */
export const renewToken = (
  { app, settings }: Realtime,
  request: RequestContext,
  { created: { session_id, expires_at } }: RunningSession,
) => {
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
    TE.map(() => ({ token, token_expires_at })),
  );
};

/** The token is not one of this session, or has expired. */
export type InvalidSessionToken = Tagged<'InvalidSessionToken'>;

const invalid: InvalidSessionToken = { _tag: 'InvalidSessionToken' };

/** Whether a bearer token has the form of a session token, rather than of an API key. */
export const isSessionToken = (token: string): boolean => sessionOfToken(token) !== null;

const stateOf = (app: Uses<'realtimeSessions'>, id: SessionId | null): TE.TaskEither<Failure, RealtimeSessionState> =>
  id === null
    ? TE.right({ _tag: 'Uncreated' })
    : pipe(
        app.realtimeSessions.load(id),
        TE.map(({ state }) => state),
      );

type Known = OpenSession | EndedSession;

/** The session of a token that is valid at this time. */
const tokenHolder = <Invalid>(
  app: Uses<'ids' | 'realtimeSessions'>,
  token: string,
  at: Timestamp,
  refusal: Invalid,
): TE.TaskEither<Invalid | Failure, Known> =>
  pipe(
    stateOf(app, sessionOfToken(token)),
    TE.chainW((state) =>
      isValidToken(state, app.ids.digest(token), at) && 'created' in state ? TE.right(state) : TE.left(refusal),
    ),
  );

/** The caller that a session token stands for, in a request about the session with this id. */
export const authoriseToken = (
  app: Uses<'clock' | 'ids' | 'realtimeSessions'>,
  token: string,
  id: string,
): TE.TaskEither<InvalidSessionToken | Failure, Caller> =>
  sessionOfToken(token) === id
    ? pipe(
        tokenHolder(app, token, app.clock.now(), invalid),
        TE.map(({ created }) => sessionCaller(created.session_id, created.account_id)),
      )
    : TE.left(invalid);

/** A new token of a session: its id and 256 random bits. */
export const sessionToken = ({ token }: Ids, session_id: SessionId): string => `${session_id}.${token()}`;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The text as a session id; null if it is not one. */
const sessionIdOf = (text: string): SessionId | null => (uuid.test(text) && SessionId.is(text) ? text : null);

/** The session id in a token; null if the text is not a session token. */
const sessionOfToken = (token: string): SessionId | null =>
  token.length > 200 ? null : sessionIdOf(token.split('.', 1)[0] ?? '');

const notFound: SessionNotFound = { _tag: 'SessionNotFound' };

export interface RunningSession extends OpenSession {
  /** The revision of its stream. */
  readonly revision: number;
}

type Refused = SessionNotFound | NotAuthorised | MediumErased | Failure;

/** A session in a wanted state, if the caller's account created it or the caller is an administrator. */
const authorised = <State extends Known>(
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
  isWanted: (state: Known) => state is State,
): TE.TaskEither<Refused, Folded<State>> => {
  const session_id = sessionIdOf(id);
  if (session_id === null) return TE.left(notFound);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state, revision }): TE.TaskEither<Refused, Folded<State>> => {
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
    authorised(app, caller, id, (state): state is OpenSession => state._tag === 'Open'),
    TE.map(({ state, revision }) => ({ ...state, revision })),
  );

/** The id of a running or ended session, if the caller may use it. */
export const authoriseSessionId = (
  app: Uses<'realtimeSessions'>,
  caller: Caller,
  id: string,
): TE.TaskEither<Refused, SessionId> =>
  pipe(
    authorised(app, caller, id, (_any): _any is Known => true),
    TE.map(({ state }) => state.created.session_id),
  );

/** Why a listener is rejected, in the order of the checks (specification, section 7.4; contract). */
export interface ResultsRefused {
  readonly _tag:
    | 'MissingToken'
    | 'InvalidToken'
    | 'MissingSessionId'
    | 'InsufficientCredits'
    | 'NoSuchSession'
    | 'NotResumable'
    | 'AlreadyOpen'
    | 'HeldElsewhere';
}

export interface ResultsRequest {
  readonly token: string | null;
  readonly session_id: string | null;
}

type Unopened = ResultsRefused | Failure;

const refused = (_tag: ResultsRefused['_tag']): TE.TaskEither<Unopened, never> => TE.left({ _tag });

/** Rejects a token that is used for another running session. A missing or ended session is reported later. */
const checkedTarget = (
  app: Uses<'realtimeSessions'>,
  holder: Known,
  wanted: SessionId | null,
): TE.TaskEither<Unopened, void> =>
  wanted === null || wanted === holder.created.session_id
    ? TE.right(undefined)
    : pipe(
        stateOf(app, wanted),
        TE.chainW(({ _tag }) => (_tag === 'Open' ? refused('InvalidToken') : TE.right(undefined))),
      );

/** The balance, if the account has credit left. */
const checkedCredit = (realtime: Realtime, account_id: AccountId): TE.TaskEither<Unopened, Credits> =>
  pipe(
    realtime.app.creditAccounts.load(account_id),
    TE.chainW(({ state }) =>
      creditLeft(state, realtime.timers.now(), isHeldHere(realtime)) > zeroCredits
        ? TE.right(state.balance)
        : refused('InsufficientCredits'),
    ),
  );

/** The session runs on another instance, unless it ended during the checks. */
const notHeld = (app: Uses<'realtimeSessions'>, session_id: SessionId): TE.TaskEither<Unopened, never> =>
  pipe(
    stateOf(app, session_id),
    TE.chainW(({ _tag }) => refused(_tag === 'Open' ? 'HeldElsewhere' : 'NoSuchSession')),
  );

const opened = (
  realtime: Realtime,
  { holder, balance }: { readonly holder: Known; readonly balance: Credits },
  wanted: SessionId | null,
  listener: ResultsListener,
): TE.TaskEither<Unopened, LiveSession> => {
  const { session_id } = holder.created;
  const live = realtime.live.get(session_id);
  if (wanted !== session_id || holder._tag === 'Ended') return refused('NoSuchSession');
  if (live === undefined) return notHeld(realtime.app, session_id);
  if (live.state._tag === 'Finished') return refused('NoSuchSession');
  if (live.state.listener === 'dropped') return refused('NotResumable');
  if (live.state.listener === 'open') return refused('AlreadyOpen');
  live.listener = listener;
  void proceed(realtime, live, { type: 'ListenerOpened', balance });
  return TE.right(live);
};

/**
 * Connects a listener to a session's results. Checks the token, `session_id`, credit and the session, in this order. The
 * returned function must be called when the listener disconnects; there can be no other listener afterwards.
 */
export const openResults = (
  realtime: Realtime,
  { token, session_id }: ResultsRequest,
  listener: ResultsListener,
): TE.TaskEither<Unopened, () => void> => {
  const wanted = session_id === null ? null : sessionIdOf(session_id);
  return pipe(
    token === null || token === ''
      ? refused('MissingToken')
      : tokenHolder<ResultsRefused>(realtime.app, token, realtime.timers.now(), { _tag: 'InvalidToken' }),
    TE.chainFirst((holder) => checkedTarget(realtime.app, holder, wanted)),
    TE.chainFirst(() => (session_id === null || session_id === '' ? refused('MissingSessionId') : TE.right(undefined))),
    TE.bindTo('holder'),
    TE.bind('balance', ({ holder }) => checkedCredit(realtime, holder.created.account_id)),
    TE.chainW((known) => opened(realtime, known, wanted, listener)),
    TE.map((live) => () => {
      live.listener = null;
      void proceed(realtime, live, { type: 'ListenerLeft' });
    }),
  );
};
