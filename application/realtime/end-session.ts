import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refusedFor } from '../refused-for.js';
import type { Credits } from '../../domain/kernel/credits.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import {
  type EndReason,
  type SessionNotFound,
  isRealtimeSessionRefusal,
} from '../../domain/realtime-session/contract.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';
import type { Uses } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { ResultsFrame } from '../ports/results-listener.js';
import type { RequestContext } from '../request-context.js';
import { closes } from './close-codes.js';
import { type LiveSession, stopWaiting } from './live-session.js';
import { type Realtime, ownRequest, troubleOf } from './realtime.js';

type Refusal = SessionNotFound | RevisionChanged | Failure;

interface Farewell {
  readonly error: Omit<Extract<ResultsFrame, { type: 'error' }>, 'type' | 'code'> | null;
  readonly close: readonly [code: number, reason: string];
}

const timedOut = (error: string): Farewell => ({
  error: { error, retryable: true },
  close: closes.TimedOut,
});

/** What a listener hears last: why the session ended, and the code that its connection closes with. */
const farewells: Readonly<Record<EndReason, Farewell>> = {
  requested: { error: null, close: closes.Ended },
  insufficient_credits: {
    error: { error: 'The session was ended because the credits ran out', retryable: false },
    close: closes.InsufficientCredits,
  },
  negotiation_timeout: timedOut('The session was ended because no offer came'),
  idle_timeout: timedOut('The session was ended because it had neither media nor a listener'),
  expired: timedOut('The session was ended because its time was up'),
  key_revoked: {
    error: { error: 'The key that created the session was revoked or has expired', retryable: false },
    close: closes.InvalidToken,
  },
  server_shutdown: {
    error: { error: 'The server is shutting down', retryable: true, retry_after_seconds: 5 },
    close: closes.ShuttingDown,
  },
  server_lost: {
    error: { error: 'The server lost the session', retryable: true },
    close: closes.Lost,
  },
};

const balanceOf = (app: Uses<'creditAccounts'>, { account_id }: LiveSession) =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.map(({ state }) => state.balance),
  );

/** Tells the listener what was charged in all. */
export const sendUsage = (
  app: Uses<'creditAccounts' | 'log'>,
  live: LiveSession,
  credits_charged: Credits,
): Promise<void> =>
  pipe(
    balanceOf(app, live),
    TE.match(troubleOf(app, 'usage not told', live.session_id), (balance) =>
      live.results.send({ type: 'usage', credits_charged, balance }),
    ),
  )();

const tearDown =
  (app: Uses<'creditAccounts' | 'log'>, realtime: Realtime, live: LiveSession) =>
  ({ reason, charged, duration_seconds }: EndedSession) =>
  async (): Promise<void> => {
    if (!realtime.live.delete(live.session_id)) return;
    realtime.full_until = null;
    stopWaiting(live);
    const closed = realtime.engine.close(live.session_id)();
    closed.then(
      (done) => {
        if (done._tag === 'Left') troubleOf(app, 'the engine did not close a session', live.session_id)(done.left);
      },
      () => app.log.warn('the engine did not close a session', { session: live.session_id }),
    );
    if (duration_seconds > 0) await sendUsage(app, live, charged);
    const { error, close } = farewells[reason];
    if (error !== null) live.results.send({ type: 'error', code: reason, ...error });
    live.results.close(...close);
  };

/**
 * Ends a session: what was used is charged and its slot comes free before its listener hears of it. Of several at once
 * one ends it; to the others it is not found.
 */
export const endSession = (
  app: Uses<'creditAccounts' | 'log' | 'perform'>,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  reason: EndReason,
): TE.TaskEither<Refusal, EndedSession> => {
  const at = realtime.timers.now();
  const live = realtime.live.get(session_id);
  return pipe(
    app.perform({ ...request, at }, 'realtimeSessions', session_id, { type: 'EndSession', reason, used_until: at, at }),
    refusedFor(isRealtimeSessionRefusal('SessionNotFound')),
    TE.chainW(({ state }) =>
      state._tag === 'Ended' ? TE.right(state) : TE.left<Refusal>({ _tag: 'SessionNotFound' }),
    ),
    TE.chainFirstTaskK((ended) => (live === undefined ? async () => undefined : tearDown(app, realtime, live)(ended))),
  );
};

/**
 * Lets go of a session that was found to have ended without this process: another instance took its slot, because this
 * one stood still for long.
 */
export const closeEnded = (
  app: Uses<'creditAccounts' | 'log' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): Promise<void> =>
  pipe(
    app.realtimeSessions.load(live.session_id),
    TE.match(troubleOf(app, 'a session could not be looked at yet', live.session_id), ({ state }) =>
      state._tag === 'Ended' ? void tearDown(app, realtime, live)(state)() : undefined,
    ),
  )();

const pause_seconds = 1;

/** Ends a session that has to end; a failing store is asked again until it has. */
export const endAnyhow = async (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
  reason: EndReason,
): Promise<void> => {
  stopWaiting(live);
  await pipe(
    endSession(app, realtime, ownRequest(realtime, live), live.session_id, reason),
    TE.match(
      (refusal) => {
        if (refusal._tag === 'SessionNotFound') return void closeEnded(app, realtime, live);
        troubleOf(app, 'a session could not be ended yet', live.session_id)(refusal);
        const again = realtime.timers.after(pause_seconds, () => void endAnyhow(app, realtime, live, reason));
        live.waits.set('end', again);
        return undefined;
      },
      () => undefined,
    ),
  )();
};
