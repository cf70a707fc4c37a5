import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { creditLeft } from '../../domain/credit-account/state.js';
import { type Credits, zeroCredits } from '../../domain/kernel/credits.js';
import type { AccountId, SessionId } from '../../domain/kernel/ids.js';
import { secondsBetween } from '../../domain/kernel/timestamp.js';
import {
  newHeldSession,
  unbookedUse,
  nextWakeAt,
  nextCreditCheck,
  secondsLeft,
} from '../../domain/realtime-session/held-session.js';
import { type SessionEffect, type SessionInput, step } from '../../domain/realtime-session/step.js';
import type { Uses } from '../application.js';
import type { RequestContext } from '../commands/context.js';
import { farewells } from './close-codes.js';
import { type LiveSession, isHeldHere, resultsStream } from './live-session.js';
import { end, meter, noteMedia, readEnd } from './own-commands.js';
import { type Realtime, troubleOf } from './realtime.js';

/** What a session needs that this process holds. */
export type SessionNeeds = Uses<'creditAccounts' | 'log' | 'perform' | 'realtimeSessions'>;

/** The sessions of an account that are charged, with what each has used and not booked. */
const meteredOf = ({ live, timers }: Realtime, account_id: AccountId) => {
  const now = timers.now();
  return [...live.values()].flatMap((session) => {
    const use = session.account_id === account_id ? unbookedUse(session.state, now) : null;
    return use === null ? [] : [{ session, use }];
  });
};

const stopWatching = ({ creditWatches }: Realtime, account_id: AccountId): void => {
  creditWatches.get(account_id)?.();
  creditWatches.delete(account_id);
};

/** Looks at a credit again when it will be low, or used up: then all of the account's sessions are booked first. */
const watchCredit = (app: SessionNeeds, realtime: Realtime, account_id: AccountId, seconds_left: number): void => {
  stopWatching(realtime, account_id);
  const next = nextCreditCheck(seconds_left);
  if (next === null || realtime.closing) return;
  const look = async (): Promise<void> => {
    for (const { session } of next.books ? meteredOf(realtime, account_id) : [])
      await proceed(app, realtime, session, { type: 'MeteringRequested' });
    await assessCredit(app, realtime, account_id);
  };
  realtime.creditWatches.set(
    account_id,
    realtime.timers.after(next.after_seconds, () => void look()),
  );
};

/**
 * Looks at what an account has left while its sessions run: these hear for how long it lasts, and have to end once it
 * is used up, to the second and not at the next charge.
 */
const assessCredit = (app: SessionNeeds, realtime: Realtime, account_id: AccountId): Promise<void> =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.matchE(
      (failure) => async () => troubleOf(app, 'the credit could not be looked at yet', account_id)(failure),
      ({ state }) =>
        async () => {
          const metered = meteredOf(realtime, account_id);
          const left = creditLeft(state, realtime.timers.now(), isHeldHere(realtime));
          const seconds_left = secondsLeft(
            metered.map(({ use }) => use),
            left,
          );
          const isUsedUp = left <= zeroCredits;
          const news: SessionInput = isUsedUp
            ? { type: 'EndRequested', reason: 'insufficient_credits' }
            : { type: 'CreditChecked', seconds_left };
          await Promise.all(metered.map(({ session }) => proceed(app, realtime, session, news)));
          if (!isUsedUp) watchCredit(app, realtime, account_id, seconds_left);
        },
    ),
  )();

/** Tells the listener what was charged in all. */
const tellUsage = (app: SessionNeeds, live: LiveSession, credits_charged: Credits): Promise<void> =>
  pipe(
    app.creditAccounts.load(live.account_id),
    TE.match(troubleOf(app, 'usage not told', live.session_id), ({ state: { balance } }) =>
      live.results.send({ type: 'usage', credits_charged, balance }),
    ),
  )();

/** The engine is not waited for. */
const letGo = (app: Uses<'log'>, realtime: Realtime, { session_id, account_id }: LiveSession): void => {
  realtime.live.delete(session_id);
  realtime.full_until = null;
  if (meteredOf(realtime, account_id).length === 0) stopWatching(realtime, account_id);
  const closed = realtime.engine.close(session_id)();
  closed.then(
    (done) => {
      if (done._tag === 'Left') troubleOf(app, 'the engine did not close a session', session_id)(done.left);
    },
    () => app.log.warn('the engine did not close a session', { session: session_id }),
  );
};

/** What is told is told at once; what is written or read comes back to the session before this is done. */
const carryOut = (
  app: SessionNeeds,
  realtime: Realtime,
  live: LiveSession,
  effect: SessionEffect,
): Promise<void> | undefined => {
  const heard = async (input: Promise<SessionInput>) => proceed(app, realtime, live, await input);
  switch (effect.type) {
    case 'Send':
      live.results.send(effect.news);
      return undefined;
    case 'SendUsage':
      return tellUsage(app, live, effect.charged);
    case 'RecordMedia':
      return heard(noteMedia(app, realtime, live, effect));
    case 'Meter':
      return heard(meter(app, realtime, live));
    case 'CheckCredit':
      return assessCredit(app, realtime, live.account_id);
    case 'End':
      return heard(end(app, realtime, live, effect.reason));
    case 'ReadEnd':
      return heard(readEnd(app, live));
    case 'ReleaseMedia':
      letGo(app, realtime, live);
      return undefined;
    case 'SendEnd': {
      const { error, close } = farewells[effect.reason];
      if (error !== null) live.results.send({ type: 'error', code: effect.reason, ...error });
      live.results.close(...close);
      return undefined;
    }
  }
};

/** One timer runs for a session: until it wants to hear that time has passed. */
const setTimer = (app: SessionNeeds, realtime: Realtime, live: LiveSession): void => {
  const at = nextWakeAt(live.state);
  if (at === (live.timer?.at ?? null)) return;
  live.timer?.cancel();
  live.timer = null;
  if (at === null) return;
  const cancel = realtime.timers.after(secondsBetween(realtime.timers.now(), at), () => {
    live.timer = null;
    void proceed(app, realtime, live, { type: 'TimePassed' });
  });
  live.timer = { at, cancel };
};

/** Tells a session what happens to it, and carries out what follows, one after the other; resolves once all is done. */
export const proceed = async (
  app: SessionNeeds,
  realtime: Realtime,
  live: LiveSession,
  input: SessionInput,
): Promise<void> => {
  const [state, effects] = step(live.state, input, realtime.timers.now());
  live.state = state;
  setTimer(app, realtime, live);
  for (const effect of effects) {
    const done = carryOut(app, realtime, live, effect);
    if (done !== undefined) await done;
  }
};

/** Holds a new session, which begins now. */
export const holdSession = (
  app: SessionNeeds,
  realtime: Realtime,
  { caller, request_id }: RequestContext,
  session_id: SessionId,
): void => {
  const { settings, timers } = realtime;
  const live: LiveSession = {
    session_id,
    account_id: caller.account_id,
    caller,
    request_id,
    results: resultsStream(session_id, timers),
    state: newHeldSession(settings, timers.now()),
    timer: null,
  };
  realtime.beginning.delete(session_id);
  realtime.live.set(session_id, live);
  setTimer(app, realtime, live);
};
