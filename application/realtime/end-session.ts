import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../failures.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import { type SessionNotFound, isRealtimeSessionRefusal } from '../../domain/realtime-session/contract.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';
import { usedUntil } from '../../domain/realtime-session/held-session.js';
import type { RequestContext } from '../commands/context.js';
import { endOf } from './own-commands.js';
import { type SessionNeeds, proceed } from './proceed.js';
import type { Realtime } from './realtime.js';

/** Ends all sessions of this process and prevents new ones. Those that cannot be ended now are ended at the next start. */
export const endAllSessions = async (app: SessionNeeds, realtime: Realtime): Promise<void> => {
  realtime.closing = true;
  for (const cancel of realtime.creditWatches.values()) cancel();
  realtime.creditWatches.clear();
  realtime.keyWatch?.();
  realtime.keyWatch = null;
  await Promise.all(
    [...realtime.live.values()].map((live) =>
      proceed(app, realtime, live, { type: 'EndRequested', reason: 'server_shutdown' }),
    ),
  );
};

type Refusal = SessionNotFound | RevisionChanged | Failure;

/**
 * POST …/end: charges the usage and frees the slot, then informs the listener. Of several concurrent requests, one ends the
 * session; for the others it is not found.
 */
export const endSession = (
  app: SessionNeeds,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
): TE.TaskEither<Refusal, EndedSession> => {
  const at = realtime.timers.now();
  const live = realtime.live.get(session_id);
  return pipe(
    app.perform({ ...request, at }, 'realtimeSessions', session_id, {
      type: 'EndSession',
      reason: 'requested',
      used_until: live === undefined ? at : usedUntil(live.state, at),
      at,
    }),
    narrowRefusal(isRealtimeSessionRefusal('SessionNotFound')),
    TE.chainW(({ state }) =>
      state._tag === 'Ended' ? TE.right(state) : TE.left<Refusal>({ _tag: 'SessionNotFound' }),
    ),
    TE.chainFirstTaskK((ended) => async () => {
      if (live !== undefined) await proceed(app, realtime, live, endOf(ended));
    }),
  );
};
