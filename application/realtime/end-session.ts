import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { SessionId, AccountId } from '../../domain/kernel/ids.js';
import type { SessionNotFound } from '../../domain/realtime-session/contract.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';
import { usedUntil } from '../../domain/realtime-session/step.js';
import { type RequestContext, serviceRequest } from '../commands/context.js';
import { endOf, proceed } from './proceed.js';
import { type Realtime, slots, logFailure } from './realtime.js';
import { releaseHold } from '../use-cases/credits/credits.js';

/** A session that no process holds. The account is unknown if an old version took the slot. */
interface Lost {
  readonly session_id: SessionId;
  readonly account_id: AccountId | null;
}

/** Ends the session, if it was written, and releases its credit hold and its slot. */
const attempt = ({ app, timers }: Realtime, { session_id, account_id }: Lost) => {
  const at = timers.now();
  const request = serviceRequest('realtime', app.ids.random(), at);
  const ending = { type: 'EndSession', reason: 'server_lost', used_until: null, at } as const;
  return pipe(
    app.perform(request, 'realtimeSessions', session_id, ending),
    TE.map(constVoid),
    TE.orElseW((refusal) => (refusal._tag === 'SessionNotFound' ? TE.right(undefined) : TE.left(refusal))),
    TE.chainW(() => (account_id === null ? TE.right(undefined) : releaseHold(app, request, account_id, session_id))),
    TE.chainW(() => app.perform(request, 'realtimeCapacities', slots, { type: 'FreeSlot', session_id, at })),
  );
};

const pause_seconds = 1;

/**
 * Ends a session whose process died or whose creation failed. What was metered stays charged; its credit hold and its slot
 * are released. Retries while the store fails.
 */
export const abandonSession = async (realtime: Realtime, lost: Lost): Promise<void> =>
  pipe(
    attempt(realtime, lost),
    TE.match((refusal) => {
      logFailure(realtime, 'a session could not be abandoned yet', lost.session_id)(refusal);
      if (realtime.closing) return;
      realtime.timers.after(pause_seconds, () => void abandonSession(realtime, lost));
    }, constVoid),
  )();

/** At startup: ends the sessions of the previous process on the same data folder. */
export const endLostSessions = (realtime: Realtime): TE.TaskEither<Failure, number> =>
  pipe(
    realtime.app.realtimeCapacities.load(slots),
    TE.map(({ state }) => state.filter(({ instance_id }) => instance_id === realtime.instance_id)),
    TE.chainFirstTaskK((lost) => async () => {
      for (const one of lost) await abandonSession(realtime, one);
    }),
    TE.map((lost) => lost.length),
  );

/** Ends all sessions of this process and prevents new ones. Those that cannot be ended now are ended at the next start. */
export const endAllSessions = async (realtime: Realtime): Promise<void> => {
  realtime.closing = true;
  for (const cancel of realtime.creditWatches.values()) cancel();
  realtime.creditWatches.clear();
  realtime.keyWatch?.();
  realtime.keyWatch = null;
  await Promise.all(
    [...realtime.live.values()].map((live) =>
      proceed(realtime, live, { type: 'EndRequested', reason: 'server_shutdown' }),
    ),
  );
};

type Refusal = SessionNotFound | RevisionChanged | Failure;

/**
 * POST …/end: charges the usage and frees the slot, then informs the listener. Of several concurrent requests, one ends the
 * session; for the others it is not found.
 */
export const endSession = (
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
): TE.TaskEither<Refusal, EndedSession> => {
  const at = realtime.timers.now();
  const live = realtime.live.get(session_id);
  return pipe(
    realtime.app.perform({ ...request, at }, 'realtimeSessions', session_id, {
      type: 'EndSession',
      reason: 'requested',
      used_until: live === undefined ? at : usedUntil(live.state, at),
      at,
    }),
    TE.chainW(({ state }) =>
      state._tag === 'Ended' ? TE.right(state) : TE.left<Refusal>({ _tag: 'SessionNotFound' }),
    ),
    TE.chainFirstTaskK((ended) => async () => {
      if (live !== undefined) await proceed(realtime, live, endOf(ended));
    }),
  );
};
