import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccountId, SessionId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import type { Uses } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import { type Realtime, slots } from './realtime.js';

type Refusal = AtCapacity | RevisionChanged | Failure;

/** A slot lapses this long after the latest end of its session. */
const lapse_seconds = 300;
/** When the slot and the credit hold of a session lapse. */
export const lapseOf = (expires_at: Timestamp): Timestamp => secondsAfter(expires_at, lapse_seconds);
/** How long a refusal is reused for further requests, unless a slot comes free here. */
const refusal_seconds = 0.1;

/** The number of an account's sessions that run or are being created in this process. */
const runningHere = ({ live, beginning }: Realtime, account_id: AccountId): number =>
  [...live.values()].filter((session) => session.account_id === account_id).length +
  [...beginning.values()].filter((account) => account === account_id).length;

/**
 * Why no slot is free, if the sessions of this process suffice to tell. Null: the store must be asked.
 */
export const knownFull = (realtime: Realtime, account_id: AccountId): AtCapacity | null => {
  const { live, beginning, full_until, settings, timers } = realtime;
  const { max_sessions, max_sessions_per_account } = settings;
  const isFull = live.size + beginning.size >= max_sessions || (full_until !== null && timers.now() < full_until);
  if (isFull) return { _tag: 'AtCapacity', of: 'service', capacity: max_sessions };
  return runningHere(realtime, account_id) < max_sessions_per_account
    ? null
    : { _tag: 'AtCapacity', of: 'account', capacity: max_sessions_per_account };
};

/** Takes a slot for a session that ends at `expires_at` at the latest. */
export const takeSlot = (
  app: Uses<'perform'>,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  expires_at: Timestamp,
): TE.TaskEither<Refusal, void> => {
  const { settings, instance_id, timers } = realtime;
  const at = timers.now();
  return pipe(
    app.perform({ ...request, at, if_match: null }, 'realtimeCapacities', slots, {
      type: 'TakeSlot',
      session_id,
      account_id: request.caller.account_id,
      instance_id,
      capacity: settings.max_sessions,
      account_capacity: settings.max_sessions_per_account,
      lapses_at: lapseOf(expires_at),
      at,
    }),
    TE.bimap(
      (refusal: Refusal) => {
        if (refusal._tag === 'AtCapacity' && refusal.of === 'service')
          realtime.full_until = secondsAfter(timers.now(), refusal_seconds);
        return refusal;
      },
      () => undefined,
    ),
  );
};
