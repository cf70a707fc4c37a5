import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { zeroCredits } from '../../domain/kernel/credits.js';
import type { EndReason } from '../../domain/realtime-session/contract.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';
import { type MediaChange, usedUntil } from '../../domain/realtime-session/held-session.js';
import type { SessionInput } from '../../domain/realtime-session/step.js';
import type { Uses } from '../application.js';
import type { LiveSession } from './live-session.js';
import { type Realtime, ownRequest, logFailure } from './realtime.js';

/* What a session of this process writes and reads by itself. Each function returns the input for the session's next step. */

/** Meters the seconds of use since the last metering. */
export const meter = (app: Uses<'log' | 'perform'>, realtime: Realtime, live: LiveSession): Promise<SessionInput> => {
  const request = ownRequest(realtime, live);
  return pipe(
    app.perform(request, 'realtimeSessions', live.session_id, {
      type: 'MeterSession',
      at: usedUntil(live.state, request.at),
    }),
    TE.match(
      (refusal): SessionInput => {
        if (refusal._tag === 'SessionNotFound') return { type: 'FoundEnded' };
        logFailure(app, 'a session could not be metered yet', live.session_id)(refusal);
        return { type: 'MeteringFailed' };
      },
      ({ state, recorded }): SessionInput => ({
        type: 'Metered',
        booked:
          state._tag === 'Open' && recorded.length > 0
            ? { seconds: state.metered_seconds, charged: state.charged }
            : null,
      }),
    ),
  )();
};

/** Records a change of the media state, with its time. */
export const noteMedia = (
  app: Uses<'log' | 'perform'>,
  realtime: Realtime,
  live: LiveSession,
  { state, at }: MediaChange,
): Promise<SessionInput> =>
  pipe(
    app.perform(ownRequest(realtime, live), 'realtimeSessions', live.session_id, { type: 'RecordMedia', state, at }),
    TE.match(
      (refusal): SessionInput => {
        if (refusal._tag === 'SessionNotFound') return { type: 'MediaStored' };
        logFailure(app, 'the state of media could not be noted yet', live.session_id)(refusal);
        return { type: 'MediaNotStored' };
      },
      (): SessionInput => ({ type: 'MediaStored' }),
    ),
  )();

/** The input for a session that has ended. */
export const endOf = ({ reason, charged }: EndedSession): SessionInput => ({ type: 'Ended', reason, charged });

/** Ends the session, metered to the last second. */
export const end = (
  app: Uses<'log' | 'perform'>,
  realtime: Realtime,
  live: LiveSession,
  reason: EndReason,
): Promise<SessionInput> => {
  const request = ownRequest(realtime, live);
  const { at } = request;
  return pipe(
    app.perform(request, 'realtimeSessions', live.session_id, {
      type: 'EndSession',
      reason,
      used_until: usedUntil(live.state, at),
      at,
    }),
    TE.match(
      (refusal): SessionInput => {
        if (refusal._tag === 'SessionNotFound') return { type: 'FoundEnded' };
        logFailure(app, 'a session could not be ended yet', live.session_id)(refusal);
        return { type: 'EndingFailed' };
      },
      ({ state }): SessionInput => (state._tag === 'Ended' ? endOf(state) : { type: 'FoundEnded' }),
    ),
  )();
};

/** Reads how a session was ended by another process. If it has been erased, the reason is unknown. */
export const readEnd = (app: Uses<'log' | 'realtimeSessions'>, { session_id }: LiveSession): Promise<SessionInput> =>
  pipe(
    app.realtimeSessions.load(session_id),
    TE.match(
      (failure): SessionInput => {
        logFailure(app, 'a session could not be read; it is tried again', session_id)(failure);
        return { type: 'EndingFailed' };
      },
      ({ state }): SessionInput => {
        if (state._tag === 'Ended') return endOf(state);
        return state._tag === 'Open'
          ? { type: 'EndingFailed' }
          : { type: 'Ended', reason: 'server_lost', charged: zeroCredits };
      },
    ),
  )();
