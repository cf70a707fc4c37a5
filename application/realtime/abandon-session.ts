import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { commandContext } from '../request-context.js';
import { serviceRequest } from '../service-caller.js';
import { type Realtime, slots, troubleOf } from './realtime.js';

const freed = (
  app: Application,
  realtime: Realtime,
  session_id: SessionId,
): TE.TaskEither<AtCapacity | RevisionChanged | Failure, void> => {
  const at = realtime.timers.now();
  const request = serviceRequest('realtime', app.ids.random(), at);
  return pipe(
    app.realtimeCapacities.handle(slots, { type: 'FreeSlot', session_id, at }, commandContext(app.ids, request)),
    TE.map(() => undefined),
  );
};

const attempt = (app: Application, realtime: Realtime, session_id: SessionId) => {
  const at = realtime.timers.now();
  const request = serviceRequest('realtime', app.ids.random(), at);
  return pipe(
    perform(app, request)(
      app.realtimeSessions,
      session_id,
      { type: 'EndSession', reason: 'server_lost', used_until: null, at },
      commandContext(app.ids, request),
    ),
    TE.map(() => undefined),
    TE.orElseW((refusal) => (refusal._tag === 'SessionNotFound' ? TE.right(undefined) : TE.left(refusal))),
    TE.chainW(() => freed(app, realtime, session_id)),
  );
};

const pause_seconds = 1;

/**
 * Ends what nobody holds: a session whose process died, or whose creation was cut off. What was metered stays charged,
 * nothing more is, and the slot comes free. A failing store is asked again, later, until it is done.
 */
export const abandonSession = async (app: Application, realtime: Realtime, session_id: SessionId): Promise<void> =>
  pipe(
    attempt(app, realtime, session_id),
    TE.match(
      (refusal) => {
        troubleOf(app, 'a session could not be abandoned yet', session_id)(refusal);
        if (realtime.closing) return;
        realtime.timers.after(pause_seconds, () => void abandonSession(app, realtime, session_id));
      },
      () => undefined,
    ),
  )();

/** At the start: ends what the process before this one, on the same data folder, held. */
export const recoverSessions = (app: Application, realtime: Realtime): TE.TaskEither<Failure, number> =>
  pipe(
    app.realtimeCapacities.load(slots),
    TE.map(({ state }) => [...state.values()].filter(({ instance_id }) => instance_id === realtime.instance_id)),
    TE.chainFirstTaskK((lost) => async () => {
      for (const { session_id } of lost) await abandonSession(app, realtime, session_id);
    }),
    TE.map((lost) => lost.length),
  );
