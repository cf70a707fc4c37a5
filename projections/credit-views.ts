import * as t from 'io-ts';
import { PeriodSeconds } from '../domain/credit-account/contract.js';
import { type Credits, CreditsText, add, creditsOf, zeroCredits, addMillionths } from '../domain/kernel/credits.js';
import { nullable } from '../domain/kernel/event-codecs.js';
import { AccountId, AudioId, HoldId, RunId, SessionId } from '../domain/kernel/ids.js';
import { Timestamp } from '../domain/kernel/timestamp.js';

export const CreditAccountRow = t.type(
  {
    account_id: AccountId,
    balance: CreditsText,
    /** What was charged in all. */
    charged_total: CreditsText,
    window: nullable(t.type({ limit: CreditsText, period_seconds: PeriodSeconds })),
    /** What is set aside for calls under way; those that have lapsed count no more. */
    holds: t.readonlyArray(t.type({ hold_id: HoldId, amount: CreditsText, lapses_at: Timestamp })),
    revision: t.number,
  },
  'CreditAccountRow',
);
export type CreditAccountRow = t.TypeOf<typeof CreditAccountRow>;

/** What an entry was booked for. */
export const LedgerCategory = t.keyof(
  { grant: null, correction: null, name_inference: null, realtime: null },
  'LedgerCategory',
);
export type LedgerCategory = t.TypeOf<typeof LedgerCategory>;

/** An entry of a ledger. The amounts of an account add up to its balance: what is charged is negative. */
export const LedgerEntry = t.type(
  {
    entry_id: t.string,
    account_id: AccountId,
    at: Timestamp,
    kind: t.keyof({ grant: null, charge: null, correction: null }),
    category: LedgerCategory,
    /** Who booked it: of a charge for a session, the key that created the session. */
    key_id: t.string,
    amount: CreditsText,
    balance_after: CreditsText,
    /** What was charged up to here, this entry included. */
    charged_total: CreditsText,
    reason: t.string,
    run_id: nullable(RunId),
    session_id: nullable(SessionId),
    audio_id: nullable(AudioId),
    request_id: t.string,
  },
  'LedgerEntry',
);
export type LedgerEntry = t.TypeOf<typeof LedgerEntry>;

/** What a key was charged for in one hour. */
export const UsageRow = t.type(
  {
    account_id: AccountId,
    /** As in `2026-01-31T23`, in UTC. */
    hour: t.string,
    category: LedgerCategory,
    key_id: t.string,
    charges: t.number,
    amount: CreditsText,
  },
  'UsageRow',
);
export type UsageRow = t.TypeOf<typeof UsageRow>;

/** Which key created a realtime session. */
export const SessionKeyRow = t.type({ session_id: SessionId, key_id: t.string }, 'SessionKeyRow');
export type SessionKeyRow = t.TypeOf<typeof SessionKeyRow>;

/** An account's credits at some time. */
export interface CreditAccountView extends Pick<CreditAccountRow, 'balance' | 'revision'> {
  /** What calls under way hold. */
  readonly held: Credits;
  /** With what was spent in the period that ends at that time. */
  readonly window: (NonNullable<CreditAccountRow['window']> & { readonly spent: CreditsText }) | null;
}

/** What calls under way hold at a time. */
export const heldAt = ({ holds }: CreditAccountRow, now: Timestamp): Credits =>
  holds
    .filter(({ lapses_at }) => lapses_at > now)
    .map(({ amount }) => creditsOf(amount))
    .reduce(add, zeroCredits);

/** What a key was charged for on a day; `charged` in millionths. */
export interface UsagePart {
  /** As in `2026-01-31`. */
  readonly day: string;
  readonly category: string;
  readonly key_id: string;
  readonly charges: number;
  readonly charged: bigint;
}

export const usageFields = ['day', 'month', 'category', 'key'] as const;
type UsageField = (typeof usageFields)[number];

interface UsageSum {
  readonly charges: number;
  readonly amount: Credits;
}

interface UsageGroup extends UsageSum {
  readonly day?: string;
  readonly month?: string;
  readonly category?: string;
  readonly key_id?: string;
}

const monthLength = 7;

const groupOf = (
  { day, category, key_id }: UsagePart,
  by: ReadonlySet<UsageField>,
): Omit<UsageGroup, keyof UsageSum> => ({
  ...(by.has('day') ? { day } : {}),
  ...(by.has('month') ? { month: day.slice(0, monthLength) } : {}),
  ...(by.has('category') ? { category } : {}),
  ...(by.has('key') ? { key_id } : {}),
});

const none: UsageSum = { charges: 0, amount: zeroCredits };

const withPart = ({ charges, amount }: UsageSum, part: UsagePart): UsageSum => ({
  charges: charges + part.charges,
  amount: addMillionths(amount, part.charged),
});

/** Sums up usage by some fields, in ascending order of them, and in all; without a field there are no groups. */
export const sumUsage = (
  parts: ReadonlyArray<UsagePart>,
  by: ReadonlySet<UsageField>,
): { readonly groups: ReadonlyArray<UsageGroup>; readonly total: UsageSum } => {
  const groups = new Map<string, UsageGroup>();
  for (const part of by.size === 0 ? [] : parts) {
    const group = groupOf(part, by);
    const name = Object.values(group).join(' ');
    groups.set(name, { ...group, ...withPart(groups.get(name) ?? none, part) });
  }
  return {
    groups: [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group),
    total: parts.reduce(withPart, none),
  };
};
