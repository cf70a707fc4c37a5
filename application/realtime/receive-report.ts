import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import type { EngineReport, MediaState } from '../ports/realtime-engine.js';

import type { LiveSession } from './live-session.js';
import { startMetering } from './metering.js';
import { type Realtime, ownRequest, troubleOf } from './realtime.js';
import { reviewIdleness } from './time-limits.js';

const pause_seconds = 1;

/** Writes where the media stands, with the time at which that was; a failing store is asked again. */
const note = async (
  app: Uses<'log' | 'perform'>,
  realtime: Realtime,
  live: LiveSession,
  state: MediaState,
  at: Timestamp,
): Promise<void> => {
  const request = ownRequest(realtime, live);
  const again = await pipe(
    app.perform(request, 'realtimeSessions', live.session_id, { type: 'NoteMedia', state, at }),
    TE.match(
      (refusal) => {
        if (refusal._tag === 'SessionNotFound') return false;
        troubleOf(app, 'the state of media could not be noted yet', live.session_id)(refusal);
        return true;
      },
      () => false,
    ),
  )();
  if (!again || !realtime.live.has(live.session_id)) return;
  await new Promise<void>((resume) => realtime.timers.after(pause_seconds, resume));
  await note(app, realtime, live, state, at);
};

const media = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
  state: MediaState,
): void => {
  if (live.media === state) return;
  const at = realtime.timers.now();
  const isFirst = state === 'connected' && live.first_media_at === null;
  live.media = state;
  if (isFirst) live.first_media_at = at;
  live.results.send({ type: 'media', state });
  reviewIdleness(app, realtime, live);
  void realtime.queue.run(live.session_id, () => note(app, realtime, live, state, at))();
  if (isFirst) startMetering(app, realtime, live);
};

/** Takes what the engine reports of a session; of one that has ended nothing more is taken. */
export const receiveReport =
  (app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>, realtime: Realtime, live: LiveSession) =>
  (report: EngineReport): void => {
    if (!realtime.live.has(live.session_id)) return;
    if (report.kind === 'media') media(app, realtime, live, report.state);
    else live.results.result(report);
  };
