import * as fc from 'fast-check';
import { type Fields, pick, orNull, some, text, time, audio_id, run_id, account_id, key_id } from './any-values.js';

/* Fields of the events of accounts. */

export const ofAccount: Readonly<Record<string, Fields>> = {
  AccountOpened: { account_id, name: orNull(text), at: time },
  ApiKeyIssued: {
    key_id,
    account_id,
    key_hash: key_id.map((id) => `'hash' of \0 ${id}`),
    label: orNull(text),
    admin: fc.boolean(),
    permissions: some(pick('MEDIA_WRITE', 'WORKER')),
    at: time,
  },
  ApiKeyRevoked: { key_id, at: time },
  AccountRenamed: { account_id, name: orNull(text), at: time },
  RetentionSet: { account_id, days: orNull(fc.integer({ min: 1, max: 36_500 })), at: time },
};

const credits = pick('0', '0.000001', '7.5', '1000');
const booked = { amount: credits, balance_after: credits, reason: text, at: time };
export const ofCreditAccount: Readonly<Record<string, Fields>> = {
  CreditsGranted: booked,
  CreditsCorrected: booked,
  CreditsCharged: {
    ...booked,
    charge_id: run_id,
    run_id: orNull(run_id),
    session_id: fc.constant(null),
    audio_id: orNull(audio_id),
  },
  CreditsHeld: { hold_id: run_id, amount: credits, lapses_at: time, run_id, session_id: fc.constant(null), at: time },
  HoldReleased: { hold_id: run_id, at: time },
  SpendingWindowSet: { limit: credits, period_seconds: fc.integer({ min: 1, max: 3_600 }), at: time },
  SpendingWindowCleared: { at: time },
};
