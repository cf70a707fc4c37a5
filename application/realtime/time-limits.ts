import type { Uses } from '../application.js';
import { endAnyhow } from './end-session.js';
import { type LiveSession, stopWaiting } from './live-session.js';
import type { Realtime } from './realtime.js';

/** Starts what every session has from its creation: so many seconds to negotiate, so many to be used, and so many in all. */
export const limitTime = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): void => {
  const { timers, settings } = realtime;
  const end = (reason: 'negotiation_timeout' | 'expired') => () => void endAnyhow(app, realtime, live, reason);
  live.waits.set('negotiation', timers.after(settings.negotiation_seconds, end('negotiation_timeout')));
  live.waits.set('expiry', timers.after(settings.session_seconds, end('expired')));
  reviewIdleness(app, realtime, live);
};

/** Whenever media or listener come or go: a session with neither has so many seconds left, negotiated or not. */
export const reviewIdleness = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): void => {
  const { timers, settings } = realtime;
  if (!realtime.live.has(live.session_id)) return;
  const isIdle = live.media !== 'connected' && live.results.listening() !== 'open';
  if (!isIdle) stopWaiting(live, 'idleness');
  else if (!live.waits.has('idleness'))
    live.waits.set(
      'idleness',
      timers.after(settings.idle_seconds, () => void endAnyhow(app, realtime, live, 'idle_timeout')),
    );
};
