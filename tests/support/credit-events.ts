import {
  type ChargeCredits,
  type CreditAccountCommand,
  type CreditAccountEvent,
  PeriodSeconds,
} from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { ChargeId } from '../../domain/kernel/ids.js';
import { credits, creditsText, at, audioId, runId, made } from './values.js';
import { specification } from './specification.js';

/** Repeated grants and corrections add up; repetitions of other commands change nothing. */
export const theAccount = specification(creditAccount, (command: CreditAccountCommand) =>
  command.type === 'GrantCredits' || command.type === 'CorrectCredits' ? null : command,
);

export const chargeId = (text: string): ChargeId => made(ChargeId, text);
export const period = (seconds: number): PeriodSeconds => made(PeriodSeconds, seconds);

const entry = (amount: string, balance_after: string, seconds: number, reason: string) => ({
  amount: creditsText(amount),
  balance_after: creditsText(balance_after),
  reason,
  at: at(seconds),
});

export const granted = (amount: string, balance_after = amount, seconds = 0): CreditAccountEvent => ({
  type: 'CreditsGranted',
  data: entry(amount, balance_after, seconds, 'top-up'),
});

export const corrected = (amount: string, balance_after: string, seconds = 0): CreditAccountEvent => ({
  type: 'CreditsCorrected',
  data: entry(amount, balance_after, seconds, 'goodwill'),
});

const source = (id: string) => ({
  charge_id: chargeId(id),
  run_id: runId(id),
  session_id: null,
  audio_id: audioId('a'),
});

export const charged = (id: string, amount: string, balance_after: string, seconds = 0): CreditAccountEvent => ({
  type: 'CreditsCharged',
  data: { ...entry(amount, balance_after, seconds, 'name inference'), ...source(id) },
});

export const windowSet = (limit: string, seconds: number, at_seconds = 0): CreditAccountEvent => ({
  type: 'SpendingWindowSet',
  data: { limit: creditsText(limit), period_seconds: period(seconds), at: at(at_seconds) },
});

export const windowCleared = (seconds: number): CreditAccountEvent => ({
  type: 'SpendingWindowCleared',
  data: { at: at(seconds) },
});

export const grant = (amount: string, seconds = 0): CreditAccountCommand => ({
  type: 'GrantCredits',
  amount: credits(amount),
  reason: 'top-up',
  at: at(seconds),
});

export const correct = (amount: string, seconds = 0): CreditAccountCommand => ({
  type: 'CorrectCredits',
  amount: credits(amount),
  reason: 'goodwill',
  at: at(seconds),
});

export const charge = (id: string, amount: string, seconds = 0): ChargeCredits => ({
  type: 'ChargeCredits',
  amount: credits(amount),
  reason: 'name inference',
  ...source(id),
  at: at(seconds),
});

export const setWindow = (limit: string, period_seconds: number, seconds = 0): CreditAccountCommand => ({
  type: 'SetSpendingWindow',
  limit: credits(limit),
  period_seconds: period(period_seconds),
  at: at(seconds),
});

export const clearWindow = (seconds: number): CreditAccountCommand => ({
  type: 'ClearSpendingWindow',
  at: at(seconds),
});

const creditsOrNull = (text: string | null) => (text === null ? null : credits(text));

/** Asks for admission of a call that may cost this amount, of which the caller pays `max_credits` at most. */
export const admit = (
  seconds: number,
  amount = '0.000001',
  max_credits: string | null = null,
): CreditAccountCommand => ({
  type: 'AdmitSpending',
  amount: credits(amount),
  max_credits: creditsOrNull(max_credits),
  at: at(seconds),
});

/** A hold for a run that expires this many seconds after noon. */
export const held = (id: string, amount: string, lapses: number, seconds = 0): CreditAccountEvent => ({
  type: 'CreditsHeld',
  data: {
    hold_id: runId(id),
    amount: creditsText(amount),
    lapses_at: at(lapses),
    run_id: runId(id),
    session_id: null,
    at: at(seconds),
  },
});

export const released = (id: string, seconds = 0): CreditAccountEvent => ({
  type: 'HoldReleased',
  data: { hold_id: runId(id), at: at(seconds) },
});

export const hold = (
  id: string,
  amount: string,
  lapses: number,
  seconds = 0,
  max_credits: string | null = null,
): CreditAccountCommand => ({
  type: 'HoldCredits',
  hold_id: runId(id),
  amount: credits(amount),
  max_credits: creditsOrNull(max_credits),
  lapses_at: at(lapses),
  run_id: runId(id),
  session_id: null,
  at: at(seconds),
});

export const release = (id: string, seconds = 0): CreditAccountCommand => ({
  type: 'ReleaseHold',
  hold_id: runId(id),
  at: at(seconds),
});

export const usedUp = (limit: string, opens_at: number | null, spent = limit, amount = '0.000001') =>
  ({
    _tag: 'WindowUsedUp',
    limit: credits(limit),
    spent: credits(spent),
    amount: credits(amount),
    opens_at: opens_at === null ? null : at(opens_at),
  }) as const;

export const allHeld = (amount: string, of: 'balance' | 'window' = 'balance') =>
  ({ _tag: 'AllCreditsHeld', of, held: credits(amount) }) as const;
