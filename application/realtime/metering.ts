import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { creditLeft } from '../../domain/credit-account/credit-left.js';
import { zeroCredits } from '../../domain/kernel/credits.js';
import type { AccountId } from '../../domain/kernel/ids.js';
import { secondsLeft } from '../../domain/realtime-session/seconds-left.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';

import { closeEnded, endAnyhow, sendUsage } from './end-session.js';
import { type LiveSession, elapsedSeconds, isHeldHere } from './live-session.js';
import { type Realtime, ownRequest, troubleOf } from './realtime.js';

/** Timers may fire a moment early: so much later the second has passed for certain. */
const slack_seconds = 0.005;
/** The shortest and the longest wait for the next look at a credit. */
const shortest_watch = 0.25;
const longest_watch = 3_600;
/** With less credit than for so many seconds, listeners are warned. */
const low_seconds = 60;

const meteredOf = ({ live }: Realtime, account_id: AccountId): ReadonlyArray<LiveSession> =>
  [...live.values()].filter((one) => one.account_id === account_id && one.first_media_at !== null);

/** Books the seconds since the last time, and tells the listener. */
const meter = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): Promise<void> => {
  const request = ownRequest(realtime, live);
  return pipe(
    app.perform(request, 'realtimeSessions', live.session_id, { type: 'MeterSession', at: request.at }),
    TE.matchE(
      (refusal) => async () => {
        if (refusal._tag === 'SessionNotFound') await closeEnded(app, realtime, live);
        else troubleOf(app, 'a session could not be metered yet', live.session_id)(refusal);
      },
      ({ state, recorded }) =>
        async () => {
          if (state._tag !== 'Open' || recorded.length === 0) return;
          live.metered_seconds = state.metered_seconds;
          await sendUsage(app, live, state.charged);
        },
    ),
  )();
};

/** What a session has used and not booked, by its price and the milliseconds since. */
const unbooked = (live: LiveSession, now: Timestamp) => ({
  price_per_minute: live.price_per_minute,
  unbooked_ms: Math.max(0, Math.round((elapsedSeconds(live, now) - live.metered_seconds) * 1_000)),
});

const warn = (live: LiveSession, seconds_left: number): void => {
  if (seconds_left >= low_seconds) live.warned = false;
  else if (!live.warned && live.results.listening() === 'open') {
    live.warned = true;
    live.results.send({ type: 'warning', code: 'credits_low', seconds_left: Math.floor(seconds_left) });
  }
};

/** Looks again when the credit will be low, or used up: then all of the account's sessions are booked first. */
const watch = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  account_id: AccountId,
  seconds_left: number,
): void => {
  realtime.creditWatches.get(account_id)?.();
  realtime.creditWatches.delete(account_id);
  if (seconds_left === Number.POSITIVE_INFINITY) return;
  const isLow = seconds_left < low_seconds;
  const wait = isLow ? seconds_left : seconds_left - low_seconds;
  const look = async (): Promise<void> => {
    const sessions = isLow ? meteredOf(realtime, account_id) : [];
    for (const live of sessions) await meter(app, realtime, live);
    await assessCredit(app, realtime, account_id);
  };
  const after = Math.min(Math.max(wait + slack_seconds, shortest_watch), longest_watch);
  realtime.creditWatches.set(
    account_id,
    realtime.timers.after(after, () => void look()),
  );
};

/**
 * Looks at what an account has left while its sessions run: warns when that lasts less than a minute, and ends them
 * once it is used up, to the second and not at the next charge.
 */
export const assessCredit = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  account_id: AccountId,
): Promise<void> =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.matchE(
      (failure) => async () => troubleOf(app, 'the credit could not be looked at yet', account_id)(failure),
      ({ state }) =>
        async () => {
          const now = realtime.timers.now();
          const sessions = meteredOf(realtime, account_id);
          const left = creditLeft(state, now, isHeldHere(realtime));
          if (left <= zeroCredits) {
            await Promise.all(sessions.map((live) => endAnyhow(app, realtime, live, 'insufficient_credits')));
            return;
          }
          const seconds_left = secondsLeft(
            sessions.map((live) => unbooked(live, now)),
            left,
          );
          sessions.forEach((live) => warn(live, seconds_left));
          watch(app, realtime, account_id, sessions.length === 0 ? Number.POSITIVE_INFINITY : seconds_left);
        },
    ),
  )();

const untilNext = (realtime: Realtime, live: LiveSession): number => {
  const { meter_seconds } = realtime.settings;
  const elapsed = elapsedSeconds(live, realtime.timers.now());
  return (Math.floor(elapsed / meter_seconds) + 1) * meter_seconds - elapsed + slack_seconds;
};

const tick = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): void => {
  const next = async (): Promise<void> => {
    await meter(app, realtime, live);
    await assessCredit(app, realtime, live.account_id);
    if (realtime.live.has(live.session_id) && live.waits.has('metering')) tick(app, realtime, live);
  };
  live.waits.set(
    'metering',
    realtime.timers.after(untilNext(realtime, live), () => void next()),
  );
};

/** From the first media on a session is charged every so many seconds, and at its end. */
export const startMetering = (
  app: Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>,
  realtime: Realtime,
  live: LiveSession,
): void => {
  tick(app, realtime, live);
  void assessCredit(app, realtime, live.account_id);
};
