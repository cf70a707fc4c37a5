import * as t from 'io-ts';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type DataIn, type EventOf, nullable } from '../kernel/recorded-event.js';
import type { CommandOf } from '../kernel/decider.js';
import { AudioId, brandedNumber, ChargeId, HoldId, RunId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** Maximum period of a spending window: 366 days. Charges are kept for this long, so that any window can be set. */
export const longestPeriodSeconds = 366 * 24 * 3_600;

export const PeriodSeconds = brandedNumber(
  'PeriodSeconds',
  (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= longestPeriodSeconds,
);
export type PeriodSeconds = t.TypeOf<typeof PeriodSeconds>;

const booked = { amount: CreditsText, balance_after: CreditsText, reason: t.string, at: Timestamp };

export const creditAccountEvents = {
  /** `amount` is positive. */
  CreditsGranted: t.type(booked),
  /** `amount` is the signed change of the balance, usually negative. */
  CreditsCorrected: t.type(booked),
  /** `amount` is zero or positive and is subtracted from the balance. */
  CreditsCharged: t.type({
    ...booked,
    charge_id: ChargeId,
    run_id: nullable(RunId),
    session_id: nullable(SessionId),
    audio_id: nullable(AudioId),
  }),
  /** Credits set aside for an admitted call until it is charged, the hold is released, or the hold expires. */
  CreditsHeld: t.type({
    hold_id: HoldId,
    amount: CreditsText,
    lapses_at: Timestamp,
    run_id: nullable(RunId),
    session_id: nullable(SessionId),
    at: Timestamp,
  }),
  /** The call failed or ended. A charge with the same id releases the hold by itself. */
  HoldReleased: t.type({ hold_id: HoldId, at: Timestamp }),
  SpendingWindowSet: t.type({ limit: CreditsText, period_seconds: PeriodSeconds, at: Timestamp }),
  SpendingWindowCleared: t.type({ at: Timestamp }),
} as const;

export type CreditAccountEvent = EventOf<typeof creditAccountEvents>;

type Recorded<Type extends CreditAccountEvent['type']> = DataIn<CreditAccountEvent, Type>;

/** An entry of the account's book. */
export interface Entry {
  readonly amount: Credits;
  readonly reason: string;
  readonly at: Timestamp;
}
export type GrantCredits = CommandOf<'GrantCredits', Entry>;
export type CorrectCredits = CommandOf<'CorrectCredits', Entry>;
/**
 * Charges what was used, once per `charge_id`, whatever else a repetition contains. Never refused for lack of credit.
 */
export type ChargeCredits = CommandOf<'ChargeCredits', Entry & Omit<Recorded<'CreditsCharged'>, keyof typeof booked>>;
export type SetSpendingWindow = CommandOf<
  'SetSpendingWindow',
  { limit: Credits; period_seconds: PeriodSeconds; at: Timestamp }
>;
export type ClearSpendingWindow = CommandOf<'ClearSpendingWindow', { at: Timestamp }>;
/** Checks whether a paid call may begin, without setting credits aside. */
export interface AdmitSpending {
  readonly type: 'AdmitSpending';
  /** The most that the call can cost. */
  readonly amount: Credits;
  /** The most that the caller wants to pay; null: whatever it costs. */
  readonly max_credits: Credits | null;
  readonly at: Timestamp;
}
/** Checks the same and sets the amount aside, once per `hold_id`. Nothing is held if the amount is zero. */
export type HoldCredits = CommandOf<
  'HoldCredits',
  Omit<AdmitSpending, 'type'> & Omit<Recorded<'CreditsHeld'>, 'amount'>
>;
/** Releases a hold; does nothing if there is none. */
export type ReleaseHold = CommandOf<'ReleaseHold', Recorded<'HoldReleased'>>;
export type CreditAccountCommand =
  | GrantCredits
  | CorrectCredits
  | ChargeCredits
  | SetSpendingWindow
  | ClearSpendingWindow
  | AdmitSpending
  | HoldCredits
  | ReleaseHold;

/** Why no paid call may begin now (specification, sections 4.2 and 8). Of several reasons, the first in this order. */
export type AdmissionRefusal =
  | { readonly _tag: 'ZeroBalance' }
  | { readonly _tag: 'NegativeBalance'; readonly balance: Credits }
  /**
   * The call could cost more than is left of the limit. `opens_at`: when enough charges will have left the window; null if
   * never, as with a limit of zero.
   */
  | {
      readonly _tag: 'WindowUsedUp';
      readonly limit: Credits;
      readonly spent: Credits;
      readonly amount: Credits;
      readonly opens_at: Timestamp | null;
    }
  /** There is credit, or room in the window, but calls in progress hold it. */
  | { readonly _tag: 'AllCreditsHeld'; readonly of: 'balance' | 'window'; readonly held: Credits }
  /** The call could cost more than the caller wants to pay. */
  | { readonly _tag: 'AboveMaxCredits'; readonly amount: Credits; readonly max_credits: Credits };

/** The reason of each refusal, as a program reads it. */
export const refusalReasons = {
  ZeroBalance: 'zero_balance',
  NegativeBalance: 'negative_balance',
  WindowUsedUp: 'window_used_up',
  AllCreditsHeld: 'held',
  AboveMaxCredits: 'max_credits',
} as const satisfies Readonly<Record<AdmissionRefusal['_tag'], string>>;

export type CreditAccountRefusal =
  | AdmissionRefusal
  /** A grant that is not positive, a correction of zero, a negative charge or limit. */
  | { readonly _tag: 'InvalidAmount'; readonly amount: Credits }
  /** The balance would exceed the range in which it is exact. */
  | { readonly _tag: 'BalanceOutOfRange'; readonly balance: Credits };

const notAdmitted = ['ZeroBalance', 'NegativeBalance', 'WindowUsedUp', 'AllCreditsHeld', 'AboveMaxCredits'] as const;

/** The refusals that each command can get. */
export const creditAccountRefusals = {
  GrantCredits: ['InvalidAmount', 'BalanceOutOfRange'],
  CorrectCredits: ['InvalidAmount', 'BalanceOutOfRange'],
  ChargeCredits: ['InvalidAmount', 'BalanceOutOfRange'],
  SetSpendingWindow: ['InvalidAmount'],
  ClearSpendingWindow: [],
  AdmitSpending: notAdmitted,
  HoldCredits: notAdmitted,
  ReleaseHold: [],
} as const satisfies Readonly<Record<CreditAccountCommand['type'], ReadonlyArray<CreditAccountRefusal['_tag']>>>;

export const isAdmissionRefusal = (refusal: { readonly _tag: string }): refusal is AdmissionRefusal =>
  Object.hasOwn(refusalReasons, refusal._tag);
