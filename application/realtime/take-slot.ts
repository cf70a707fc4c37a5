import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';
import { type Realtime, slots } from './realtime.js';

type Refusal = AtCapacity | RevisionChanged | Failure;

/** A slot is given up by others only long after its session must have ended. */
const lapse_seconds = 300;
/** For so long the last refusal answers for the next ones, unless a slot comes free here: a crowd is answered at once. */
const remembered_seconds = 0.1;

/** Whether it is known, without a look at the store, that no slot is free: those who run and begin here hold them all. */
export const isFull = ({ live, beginning, full_until, settings, timers }: Realtime): boolean =>
  live.size + beginning.size >= settings.max_sessions || (full_until !== null && timers.now() < full_until);

/** Takes a slot for a session that lasts until then. */
export const takeSlot = (
  app: Application,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  expires_at: Timestamp,
): TE.TaskEither<Refusal, void> => {
  const { settings, instance_id, timers } = realtime;
  const at = timers.now();
  return pipe(
    perform(app, request)(
      app.realtimeCapacities,
      slots,
      {
        type: 'TakeSlot',
        session_id,
        instance_id,
        capacity: settings.max_sessions,
        lapses_at: secondsAfter(expires_at, lapse_seconds),
        at,
      },
      commandContext(app.ids, { ...request, at }),
    ),
    TE.bimap(
      (refusal: Refusal) => {
        if (refusal._tag === 'AtCapacity') realtime.full_until = secondsAfter(timers.now(), remembered_seconds);
        return refusal;
      },
      () => undefined,
    ),
  );
};
