import type { CreditAccountCommand } from '../../domain/credit-account/contract.js';
import type { DataOf } from '../../domain/event-catalogue.js';
import { creditsOf, zeroCredits } from '../../domain/kernel/credits.js';
import { type AccountId, ChargeId } from '../../domain/kernel/ids.js';
import type { FollowUp } from './carry-out.js';

type Charge = Omit<Extract<CreditAccountCommand, { type: 'ChargeCredits' }>, 'type'>;

const charge = (id: AccountId, facts: Charge): FollowUp => ({
  to: 'creditAccount',
  id,
  command: { type: 'ChargeCredits', ...facts },
});

/** Charges an answered name inference; in commit mode also writes its names to the audio. */
export const chargeInference = (data: DataOf<'NameInferenceAnswered'>): ReadonlyArray<FollowUp> => {
  const { run_id, audio_id, account_id, mode, target_speaker_ids, results, amount, by, at, renumbered_at = -1 } = data;
  if (!ChargeId.is(run_id)) return [];
  const charged = charge(account_id, {
    charge_id: run_id,
    amount: creditsOf(amount),
    reason: 'speaker-name inference',
    run_id,
    session_id: null,
    audio_id,
    at,
  });
  if (mode === 'suggest') return [charged];
  const command = { type: 'ApplyInference' as const, run_id, by, renumbered_at, target_speaker_ids, results, at };
  return [charged, { to: 'audio', id: audio_id, command }];
};

/** Charges a metered interval. The charge id is the session id with the number of the interval, so it is booked once. */
export const chargeMetering = ({
  session_id,
  account_id,
  index,
  amount,
  at,
}: DataOf<'RealtimeSessionMetered'>): ReadonlyArray<FollowUp> => {
  const charge_id = `${session_id}:${index}`;
  const due = creditsOf(amount);
  if (!ChargeId.is(charge_id) || due === zeroCredits) return [];
  const reason = 'realtime session';
  return [charge(account_id, { charge_id, amount: due, reason, run_id: null, session_id, audio_id: null, at })];
};

/** Frees the slot and the credit hold of an ended session. */
export const releaseSession = ({
  session_id,
  account_id,
  at,
}: DataOf<'RealtimeSessionEnded'>): ReadonlyArray<FollowUp> => [
  { to: 'realtimeCapacity', id: 'all', command: { type: 'FreeSlot', session_id, at } },
  ...(account_id === null
    ? []
    : [
        {
          to: 'creditAccount' as const,
          id: account_id,
          command: { type: 'ReleaseHold' as const, hold_id: session_id, at },
        },
      ]),
];
