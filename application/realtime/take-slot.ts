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

/** A slot is given up by others only long after its session must have ended. */
const lapse_seconds = 300;
/** When a slot lapses, and what is held for the session with it. */
export const lapseOf = (expires_at: Timestamp): Timestamp => secondsAfter(expires_at, lapse_seconds);
/** For so long the last refusal answers for the next ones, unless a slot comes free here: a crowd is answered at once. */
const remembered_seconds = 0.1;

/** How many sessions of an account run or begin here. */
const runningHere = ({ live, beginning }: Realtime, account_id: AccountId): number =>
  [...live.values()].filter((session) => session.account_id === account_id).length +
  [...beginning.values()].filter((account) => account === account_id).length;

/**
 * Why no slot is free, as far as that is known without a look at the store: those who run and begin here hold them all.
 * Null: it has to be looked.
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

/** Takes a slot for a session that lasts until then. */
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
          realtime.full_until = secondsAfter(timers.now(), remembered_seconds);
        return refusal;
      },
      () => undefined,
    ),
  );
};
