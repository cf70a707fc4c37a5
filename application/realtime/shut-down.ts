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
