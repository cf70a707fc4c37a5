import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { creditLeft } from '../../domain/credit-account/state.js';
import { type Credits, zeroCredits } from '../../domain/kernel/credits.js';
import type { AccountId, SessionId } from '../../domain/kernel/ids.js';
import {
  type EndedSession,
  type OpenSession,
  type RealtimeSessionState,
  isValidToken,
} from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { ResultsListener } from '../ports/results-listener.js';
import { type LiveSession, isHeldHere } from './live-session.js';
import { type SessionNeeds, proceed } from './proceed.js';
import type { Realtime } from './realtime.js';
import { sessionIdOf, sessionOfToken } from './authorise-session.js';

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

type Known = OpenSession | EndedSession;
type Refused = ResultsRefused | Failure;

const refused = (_tag: ResultsRefused['_tag']): TE.TaskEither<Refused, never> => TE.left({ _tag });

const stateOf = (app: Uses<'realtimeSessions'>, id: SessionId | null): TE.TaskEither<Failure, RealtimeSessionState> =>
  id === null
    ? TE.right({ _tag: 'Uncreated' })
    : pipe(
        app.realtimeSessions.load(id),
        TE.map(({ state }) => state),
      );

/** The session of a valid token. */
const tokenHolder = (
  app: Uses<'ids' | 'realtimeSessions'>,
  realtime: Realtime,
  token: string | null,
): TE.TaskEither<Refused, Known> => {
  if (token === null || token === '') return refused('MissingToken');
  return pipe(
    stateOf(app, sessionOfToken(token)),
    TE.chainW((state) => {
      const isValid = isValidToken(state, app.ids.digest(token), realtime.timers.now());
      return isValid && 'created' in state ? TE.right(state) : refused('InvalidToken');
    }),
  );
};

/** Rejects a token that is used for another running session. A missing or ended session is reported later. */
const checkedTarget = (
  app: Uses<'realtimeSessions'>,
  holder: Known,
  wanted: SessionId | null,
): TE.TaskEither<Refused, void> =>
  wanted === null || wanted === holder.created.session_id
    ? TE.right(undefined)
    : pipe(
        stateOf(app, wanted),
        TE.chainW(({ _tag }) => (_tag === 'Open' ? refused('InvalidToken') : TE.right(undefined))),
      );

/** The balance, if the account has credit left. */
const checkedCredit = (
  app: Uses<'creditAccounts'>,
  realtime: Realtime,
  account_id: AccountId,
): TE.TaskEither<Refused, Credits> =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.chainW(({ state }) =>
      creditLeft(state, realtime.timers.now(), isHeldHere(realtime)) > zeroCredits
        ? TE.right(state.balance)
        : refused('InsufficientCredits'),
    ),
  );

/** The session runs on another instance, unless it ended during the checks. */
const notHeld = (app: Uses<'realtimeSessions'>, session_id: SessionId): TE.TaskEither<Refused, never> =>
  pipe(
    stateOf(app, session_id),
    TE.chainW(({ _tag }) => refused(_tag === 'Open' ? 'HeldElsewhere' : 'NoSuchSession')),
  );

const opened = (
  app: SessionNeeds,
  realtime: Realtime,
  { holder, balance }: { readonly holder: Known; readonly balance: Credits },
  wanted: SessionId | null,
  listener: ResultsListener,
): TE.TaskEither<Refused, LiveSession> => {
  const { session_id } = holder.created;
  const live = realtime.live.get(session_id);
  if (wanted !== session_id || holder._tag === 'Ended') return refused('NoSuchSession');
  if (live === undefined) return notHeld(app, session_id);
  if (live.state._tag === 'Finished') return refused('NoSuchSession');
  if (live.state.listener === 'dropped') return refused('NotResumable');
  if (live.state.listener === 'open') return refused('AlreadyOpen');
  live.results.open(listener);
  void proceed(app, realtime, live, { type: 'ListenerOpened', balance });
  return TE.right(live);
};

/**
 * Connects a listener to a session's results. Checks the token, `session_id`, credit and the session, in this order. The
 * returned function must be called when the listener disconnects; there can be no other listener afterwards.
 */
export const openResults = (
  app: Uses<'ids'> & SessionNeeds,
  realtime: Realtime,
  { token, session_id }: ResultsRequest,
  listener: ResultsListener,
): TE.TaskEither<Refused, () => void> => {
  const wanted = session_id === null ? null : sessionIdOf(session_id);
  return pipe(
    tokenHolder(app, realtime, token),
    TE.chainFirst((holder) => checkedTarget(app, holder, wanted)),
    TE.chainFirst(() => (session_id === null || session_id === '' ? refused('MissingSessionId') : TE.right(undefined))),
    TE.bindTo('holder'),
    TE.bind('balance', ({ holder }) => checkedCredit(app, realtime, holder.created.account_id)),
    TE.chainW((known) => opened(app, realtime, known, wanted, listener)),
    TE.map((live) => () => {
      live.results.drop();
      void proceed(app, realtime, live, { type: 'ListenerLeft' });
    }),
  );
};
