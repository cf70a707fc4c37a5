import * as t from 'io-ts';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { refusalIn } from '../kernel/decider.js';
import { AudioId, ChargeId, HoldId, RunId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

interface PeriodSecondsBrand {
  readonly PeriodSeconds: unique symbol;
}

/** The longest period of a spending window: 366 days. Charges are remembered for so long that any window can be set. */
export const longestPeriodSeconds = 366 * 24 * 3_600;

export const PeriodSeconds = t.brand(
  t.number,
  (n): n is t.Branded<number, PeriodSecondsBrand> => Number.isInteger(n) && n >= 1 && n <= longestPeriodSeconds,
  'PeriodSeconds',
);
export type PeriodSeconds = t.TypeOf<typeof PeriodSeconds>;

const booked = { amount: CreditsText, balance_after: CreditsText, reason: t.string, at: Timestamp };

export const creditAccountEvents = {
  /** `amount` is positive. */
  CreditsGranted: t.type(booked),
  /** `amount` is what the balance changes by, mostly negative. */
  CreditsCorrected: t.type(booked),
  /** `amount` is zero or positive, and is taken from the balance. */
  CreditsCharged: t.type({
    ...booked,
    charge_id: ChargeId,
    run_id: nullable(RunId),
    session_id: nullable(SessionId),
    audio_id: nullable(AudioId),
  }),
  /** Set aside for a call that was admitted, until it is charged, the hold is released, or it lapses. */
  CreditsHeld: t.type({
    hold_id: HoldId,
    amount: CreditsText,
    lapses_at: Timestamp,
    run_id: nullable(RunId),
    session_id: nullable(SessionId),
    at: Timestamp,
  }),
  /** The call failed, or has ended. A charge of the same id needs no release. */
  HoldReleased: t.type({ hold_id: HoldId, at: Timestamp }),
  SpendingWindowSet: t.type({ limit: CreditsText, period_seconds: PeriodSeconds, at: Timestamp }),
  SpendingWindowCleared: t.type({ at: Timestamp }),
} as const;

export type CreditAccountEvent = EventOf<typeof creditAccountEvents>;

export interface GrantCredits {
  readonly type: 'GrantCredits';
  readonly amount: Credits;
  readonly reason: string;
  readonly at: Timestamp;
}
export interface CorrectCredits {
  readonly type: 'CorrectCredits';
  readonly amount: Credits;
  readonly reason: string;
  readonly at: Timestamp;
}
/** Books what was used, once for each `charge_id` whatever else the repetition says; never refused for want of credit. */
export interface ChargeCredits {
  readonly type: 'ChargeCredits';
  readonly charge_id: ChargeId;
  readonly amount: Credits;
  readonly reason: string;
  readonly run_id: RunId | null;
  readonly session_id: SessionId | null;
  readonly audio_id: AudioId | null;
  readonly at: Timestamp;
}
export interface SetSpendingWindow {
  readonly type: 'SetSpendingWindow';
  readonly limit: Credits;
  readonly period_seconds: PeriodSeconds;
  readonly at: Timestamp;
}
export interface ClearSpendingWindow {
  readonly type: 'ClearSpendingWindow';
  readonly at: Timestamp;
}
/** Asks whether something that costs may begin; sets nothing aside. */
export interface AdmitSpending {
  readonly type: 'AdmitSpending';
  readonly at: Timestamp;
}
/** Asks the same, and sets aside what it may cost; once for each `hold_id`. Nothing is held where it may cost nothing. */
export interface HoldCredits {
  readonly type: 'HoldCredits';
  readonly hold_id: HoldId;
  readonly amount: Credits;
  readonly lapses_at: Timestamp;
  readonly run_id: RunId | null;
  readonly session_id: SessionId | null;
  readonly at: Timestamp;
}
/** Lets go of what was set aside; of a hold that is gone already nothing is left to release. */
export interface ReleaseHold {
  readonly type: 'ReleaseHold';
  readonly hold_id: HoldId;
  readonly at: Timestamp;
}
export type CreditAccountCommand =
  | GrantCredits
  | CorrectCredits
  | ChargeCredits
  | SetSpendingWindow
  | ClearSpendingWindow
  | AdmitSpending
  | HoldCredits
  | ReleaseHold;

/** Why nothing that costs may begin now (specification, sections 4.2 and 8). */
export type AdmissionRefusal =
  | { readonly _tag: 'ZeroBalance' }
  | { readonly _tag: 'NegativeBalance'; readonly balance: Credits }
  /** `opens_at` is when enough of the charges will have left the window; null when a limit of zero never lets it open. */
  | { readonly _tag: 'WindowUsedUp'; readonly limit: Credits; readonly opens_at: Timestamp | null }
  /** There would be credit, or room in the window, but calls under way hold all of it. */
  | { readonly _tag: 'AllCreditsHeld'; readonly of: 'balance' | 'window'; readonly held: Credits };

export type CreditAccountRefusal =
  | AdmissionRefusal
  /** A grant that is not positive, a correction of nothing, a charge or limit below zero. */
  | { readonly _tag: 'InvalidAmount'; readonly amount: Credits }
  /** The balance would be too large to be told exactly. */
  | { readonly _tag: 'BalanceOutOfRange'; readonly balance: Credits };

export const isCreditAccountRefusal = refusalIn<CreditAccountRefusal>();

export const isAdmissionRefusal = (refusal: { readonly _tag: string }): refusal is AdmissionRefusal =>
  isCreditAccountRefusal('ZeroBalance', 'NegativeBalance', 'WindowUsedUp', 'AllCreditsHeld')(refusal);
