import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isLiveKey } from '../../domain/access/decider.js';
import { creditLeft } from '../../domain/credit-account/state.js';
import { type Credits, zeroCredits } from '../../domain/kernel/credits.js';
import type { AccountId, SessionId } from '../../domain/kernel/ids.js';
import { secondsBetween } from '../../domain/kernel/timestamp.js';
import type { EndReason } from '../../domain/realtime-session/contract.js';
import {
  type SessionEffect,
  type SessionInput,
  type MediaChange,
  newHeldSession,
  unbookedUse,
  nextWakeAt,
  nextCreditCheck,
  secondsLeft,
  step,
  usedUntil,
} from '../../domain/realtime-session/step.js';
import type { RequestContext } from '../commands/context.js';
import { creditShortage } from './admit-session.js';
import { creditError, finalMessages } from './close-codes.js';
import { type LiveSession, type Realtime, isHeldHere, logFailure, ownRequest } from './realtime.js';
import type { ResultsFrame } from './results-frames.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';

/* What a session of this process writes and reads by itself. Each function returns the input for the session's next step. */

/** The input after something was tried for a session: `done`, or what to do if the session has ended or it failed. */
const inputAfter = <Done>(
  realtime: Realtime,
  { session_id }: LiveSession,
  work: TE.TaskEither<{ readonly _tag: string }, Done>,
  done: (result: Done) => SessionInput,
  otherwise: { readonly ended: SessionInput; readonly failed: SessionInput; readonly warning: string },
): Promise<SessionInput> =>
  pipe(
    work,
    TE.match((refusal) => {
      if (refusal._tag === 'SessionNotFound') return otherwise.ended;
      logFailure(realtime, otherwise.warning, session_id)(refusal);
      return otherwise.failed;
    }, done),
  )();

/** Meters the seconds of use since the last metering. */
const meter = (realtime: Realtime, live: LiveSession): Promise<SessionInput> => {
  const request = ownRequest(realtime, live);
  const at = usedUntil(live.state, request.at);
  return inputAfter(
    realtime,
    live,
    realtime.app.perform(request, 'realtimeSessions', live.session_id, { type: 'MeterSession', at }),
    ({ state, recorded }) => ({
      type: 'Metered',
      booked:
        state._tag === 'Open' && recorded.length > 0
          ? { seconds: state.metered_seconds, charged: state.charged }
          : null,
    }),
    {
      ended: { type: 'FoundEnded' },
      failed: { type: 'MeteringFailed' },
      warning: 'a session could not be metered yet',
    },
  );
};

/** Records a change of the media state, with its time. */
const noteMedia = (realtime: Realtime, live: LiveSession, { state, at }: MediaChange): Promise<SessionInput> =>
  inputAfter(
    realtime,
    live,
    realtime.app.perform(ownRequest(realtime, live), 'realtimeSessions', live.session_id, {
      type: 'RecordMedia',
      state,
      at,
    }),
    () => ({ type: 'MediaStored' }),
    {
      ended: { type: 'MediaStored' },
      failed: { type: 'MediaNotStored' },
      warning: 'the state of media could not be noted yet',
    },
  );

/** The input for a session that has ended. */
export const endOf = ({ reason, charged }: EndedSession): SessionInput => ({ type: 'Ended', reason, charged });

/** Ends the session, metered to the last second. */
const end = (realtime: Realtime, live: LiveSession, reason: EndReason): Promise<SessionInput> => {
  const request = ownRequest(realtime, live);
  const { at } = request;
  const used_until = usedUntil(live.state, at);
  return inputAfter(
    realtime,
    live,
    realtime.app.perform(request, 'realtimeSessions', live.session_id, { type: 'EndSession', reason, used_until, at }),
    ({ state }) => (state._tag === 'Ended' ? endOf(state) : { type: 'FoundEnded' }),
    { ended: { type: 'FoundEnded' }, failed: { type: 'EndingFailed' }, warning: 'a session could not be ended yet' },
  );
};

/** Reads how a session was ended by another process. If it has been erased, the reason is unknown. */
const readEnd = (realtime: Realtime, live: LiveSession): Promise<SessionInput> => {
  const failed: SessionInput = { type: 'EndingFailed' };
  return inputAfter(
    realtime,
    live,
    realtime.app.realtimeSessions.load(live.session_id),
    ({ state }) => {
      if (state._tag === 'Ended') return endOf(state);
      return state._tag === 'Open' ? failed : { type: 'Ended', reason: 'server_lost', charged: zeroCredits };
    },
    { ended: failed, failed, warning: 'a session could not be read; it is tried again' },
  );
};

/** Sends a frame to the session's listener, if there is one. */
export const send = ({ timers }: Realtime, { listener, session_id }: LiveSession, frame: ResultsFrame): void =>
  listener?.send({ ...frame, session_id, at: timers.now() });

/** The metered sessions of an account, each with its unbooked usage. */
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

/** Pause before credit that could not be read is read again. */
const retry_seconds = 2;

/** Replaces the timer of an account's credit, unless it has no metered session. */
const setCreditTimer = (realtime: Realtime, account_id: AccountId, seconds: number, check: () => void): void => {
  stopWatching(realtime, account_id);
  if (realtime.closing || meteredOf(realtime, account_id).length === 0) return;
  realtime.creditWatches.set(account_id, realtime.timers.after(seconds, check));
};

/** Schedules the next check of an account's credit, for when it will be low or used up. Then all its sessions are metered first. */
const watchCredit = (realtime: Realtime, account_id: AccountId, seconds_left: number): void => {
  const next = nextCreditCheck(seconds_left);
  if (next === null) return stopWatching(realtime, account_id);
  const check = async (): Promise<void> => {
    for (const { session } of next.books ? meteredOf(realtime, account_id) : [])
      await proceed(realtime, session, { type: 'MeteringRequested' });
    await assessCredit(realtime, account_id);
  };
  setCreditTimer(realtime, account_id, next.after_seconds, () => void check());
};

/**
 * Checks an account's remaining credit while its sessions run, and again after some seconds if it cannot be read. Each
 * session learns how long the credit lasts, and is ended when it is used up, to the second rather than at the next charge.
 */
const assessCredit = (realtime: Realtime, account_id: AccountId): Promise<void> =>
  pipe(
    realtime.app.creditAccounts.load(account_id),
    TE.matchE(
      (failure) => async () => {
        logFailure(realtime, 'the credit could not be read; it is read again', account_id)(failure);
        setCreditTimer(realtime, account_id, retry_seconds, () => void assessCredit(realtime, account_id));
      },
      ({ state }) =>
        async () => {
          const metered = meteredOf(realtime, account_id);
          const left = creditLeft(state, realtime.timers.now(), isHeldHere(realtime));
          const seconds_left = secondsLeft(
            metered.map(({ use }) => use),
            left,
          );
          const isUsedUp = left <= zeroCredits;
          const input: SessionInput = isUsedUp
            ? { type: 'EndRequested', reason: 'insufficient_credits' }
            : { type: 'CreditChecked', seconds_left };
          await Promise.all(metered.map(({ session }) => proceed(realtime, session, input)));
          if (!isUsedUp) watchCredit(realtime, account_id, seconds_left);
        },
    ),
  )();

/** Sends the total charged to the listener. */
const sendUsage = (realtime: Realtime, live: LiveSession, credits_charged: Credits): Promise<void> =>
  pipe(
    realtime.app.creditAccounts.load(live.account_id),
    TE.match(logFailure(realtime, 'usage could not be sent', live.session_id), ({ state: { balance } }) =>
      send(realtime, live, { type: 'usage', credits_charged, balance }),
    ),
  )();

/** Sends why the session ended, and closes its socket. */
const sendEnd = async (realtime: Realtime, live: LiveSession, reason: EndReason): Promise<void> => {
  const { error, close } = finalMessages[reason];
  const lacks = reason === 'insufficient_credits' ? await creditShortage(realtime, live.account_id)() : null;
  const last = lacks === null ? error : creditError(lacks);
  if (last !== null) send(realtime, live, { type: 'error', code: reason, ...last });
  live.listener?.close(...close);
  live.listener = null;
};

/** Removes a session from this process. Does not wait for the engine. */
const removeSession = (realtime: Realtime, { session_id, account_id }: LiveSession): void => {
  realtime.live.delete(session_id);
  if (meteredOf(realtime, account_id).length === 0) stopWatching(realtime, account_id);
  const closed = realtime.engine.close(session_id)();
  closed.then(
    (done) => {
      if (done._tag === 'Left') logFailure(realtime, 'the engine did not close a session', session_id)(done.left);
    },
    () => realtime.app.log.warn('the engine did not close a session', { session: session_id }),
  );
};

/** Carries out an effect. Messages are sent at once; results of writes and reads are passed to the session before this resolves. */
const carryOut = (realtime: Realtime, live: LiveSession, effect: SessionEffect): Promise<void> | undefined => {
  const feedBack = async (input: Promise<SessionInput>) => proceed(realtime, live, await input);
  switch (effect.type) {
    case 'Send':
      send(realtime, live, effect.message);
      return undefined;
    case 'SendUsage':
      return sendUsage(realtime, live, effect.charged);
    case 'RecordMedia':
      return feedBack(noteMedia(realtime, live, effect));
    case 'Meter':
      return feedBack(meter(realtime, live));
    case 'CheckCredit':
      return assessCredit(realtime, live.account_id);
    case 'End':
      return feedBack(end(realtime, live, effect.reason));
    case 'ReadEnd':
      return feedBack(readEnd(realtime, live));
    case 'ReleaseMedia':
      removeSession(realtime, live);
      return undefined;
    case 'SendEnd':
      return sendEnd(realtime, live, effect.reason);
  }
};

/** Sets the session's only timer, for when it next needs to know the time. */
const setTimer = (realtime: Realtime, live: LiveSession): void => {
  const at = nextWakeAt(live.state);
  if (at === (live.timer?.at ?? null)) return;
  live.timer?.cancel();
  live.timer = null;
  if (at === null) return;
  const cancel = realtime.timers.after(secondsBetween(realtime.timers.now(), at), () => {
    live.timer = null;
    void proceed(realtime, live, { type: 'TimePassed' });
  });
  live.timer = { at, cancel };
};

/** Passes an input to a session and carries out the effects, one at a time. Resolves when all are done. */
export const proceed = async (realtime: Realtime, live: LiveSession, input: SessionInput): Promise<void> => {
  const [state, effects] = step(live.state, input, realtime.timers.now());
  live.state = state;
  setTimer(realtime, live);
  for (const effect of effects) {
    const done = carryOut(realtime, live, effect);
    if (done !== undefined) await done;
  }
};

/** The interval between checks of the keys of running sessions. */
const every_seconds = 2;

/** Ends an account's sessions whose keys were revoked, on any instance, or have expired. */
const checkAccount = (realtime: Realtime, account_id: AccountId): Promise<void> =>
  pipe(
    realtime.app.accounts.load(account_id),
    TE.matchE(
      (failure) => async () =>
        logFailure(realtime, 'the keys of sessions could not be read; they are tried again', account_id)(failure),
      ({ state }) =>
        async () => {
          const now = realtime.timers.now();
          const lost = [...realtime.live.values()].filter(
            (live) => live.account_id === account_id && !isLiveKey(state, live.caller.maker_id, now),
          );
          await Promise.all(
            lost.map((live) => proceed(realtime, live, { type: 'EndRequested', reason: 'key_revoked' })),
          );
        },
    ),
  )();

/** Checks regularly, while sessions run here, whether the keys that created them are still valid. */
const watchKeys = (realtime: Realtime): void => {
  if (realtime.keyWatch !== null || realtime.live.size === 0 || realtime.closing) return;
  const check = async (): Promise<void> => {
    const accounts = new Set([...realtime.live.values()].map(({ account_id }) => account_id));
    for (const account_id of accounts) await checkAccount(realtime, account_id);
    realtime.keyWatch = null;
    watchKeys(realtime);
  };
  realtime.keyWatch = realtime.timers.after(every_seconds, () => void check());
};

/** Adds a new session to this process. */
export const holdSession = (
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
    listener: null,
    seq: 0,
    state: newHeldSession(settings, timers.now()),
    timer: null,
  };
  realtime.live.set(session_id, live);
  setTimer(realtime, live);
  watchKeys(realtime);
};
