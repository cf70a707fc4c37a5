import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isLiveKey } from '../../domain/access/decider.js';
import type { AccountId } from '../../domain/kernel/ids.js';
import type { Uses } from '../application.js';
import type { LiveSession } from './live-session.js';
import { type SessionNeeds, proceed } from './proceed.js';
import { type Realtime, logFailure } from './realtime.js';

/** The interval between checks of the keys of running sessions. */
const every_seconds = 2;

/** Ends an account's sessions whose keys were revoked, on any instance, or have expired. */
const checkAccount = (
  app: Uses<'accounts'> & SessionNeeds,
  realtime: Realtime,
  account_id: AccountId,
  sessions: ReadonlyArray<LiveSession>,
): Promise<void> =>
  pipe(
    app.accounts.load(account_id),
    TE.matchE(
      (failure) => async () =>
        logFailure(app, 'the keys of sessions could not be read; they are tried again', account_id)(failure),
      ({ state }) =>
        async () => {
          const now = realtime.timers.now();
          const lost = sessions.filter(({ caller }) => !isLiveKey(state, caller.maker_id, now));
          await Promise.all(
            lost.map((live) => proceed(app, realtime, live, { type: 'EndRequested', reason: 'key_revoked' })),
          );
        },
    ),
  )();

const look = async (app: Uses<'accounts'> & SessionNeeds, realtime: Realtime): Promise<void> => {
  const byAccount = new Map<AccountId, ReadonlyArray<LiveSession>>();
  for (const live of realtime.live.values())
    byAccount.set(live.account_id, [...(byAccount.get(live.account_id) ?? []), live]);
  for (const [account_id, sessions] of byAccount) await checkAccount(app, realtime, account_id, sessions);
  realtime.keyWatch = null;
  watchKeys(app, realtime);
};

/** Checks regularly, while sessions run here, whether the keys that created them are still valid. */
export const watchKeys = (app: Uses<'accounts'> & SessionNeeds, realtime: Realtime): void => {
  if (realtime.keyWatch !== null || realtime.live.size === 0 || realtime.closing) return;
  realtime.keyWatch = realtime.timers.after(every_seconds, () => void look(app, realtime));
};
