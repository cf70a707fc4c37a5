import type { Uses } from '../application.js';
import { endSession } from './end-session.js';
import { stopWaiting } from './live-session.js';
import { type Realtime, ownRequest } from './realtime.js';

/** Ends every session of this process and lets no other begin; one that cannot be ended now is at the next start. */
export const endAllSessions = async (
  app: Uses<'creditAccounts' | 'log' | 'perform'>,
  realtime: Realtime,
): Promise<void> => {
  realtime.closing = true;
  for (const cancel of realtime.creditWatches.values()) cancel();
  realtime.creditWatches.clear();
  realtime.keyWatch?.();
  realtime.keyWatch = null;
  await Promise.all(
    [...realtime.live.values()].map((live) => {
      stopWaiting(live);
      return endSession(app, realtime, ownRequest(realtime, live), live.session_id, 'server_shutdown')();
    }),
  );
};
