import * as t from 'io-ts';
import { creditAccountEvents } from '../domain/credit-account/contract.js';
import { type Credits, CreditsText, zeroCredits, addMillionths } from '../domain/kernel/credits.js';
import { AccountId, SessionId } from '../domain/kernel/ids.js';

/** What an entry was made for. */
export const LedgerCategory = t.keyof(
  { grant: null, correction: null, name_inference: null, realtime: null },
  'LedgerCategory',
);
export type LedgerCategory = t.TypeOf<typeof LedgerCategory>;

const { charge_id: _charge, ...charged } = creditAccountEvents.CreditsCharged.props;

/** A ledger entry. The amounts of an account add up to its balance; charges are negative. */
export const LedgerEntry = t.type(
  {
    entry_id: t.string,
    account_id: AccountId,
    kind: t.keyof({ grant: null, charge: null, correction: null }),
    category: LedgerCategory,
    /** The key that caused the entry; for a session, the key that created it. */
    key_id: t.string,
    ...charged,
    request_id: t.string,
  },
  'LedgerEntry',
);
export type LedgerEntry = t.TypeOf<typeof LedgerEntry>;

/** The charges of a key in one hour. */
export const UsageRow = t.type(
  {
    account_id: AccountId,
    /** Such as `2026-01-31T23`, in UTC. */
    hour: t.string,
    category: LedgerCategory,
    key_id: t.string,
    charges: t.number,
    amount: CreditsText,
  },
  'UsageRow',
);
export type UsageRow = t.TypeOf<typeof UsageRow>;

/** The key that created a realtime session. */
export const SessionKeyRow = t.type({ session_id: SessionId, key_id: t.string }, 'SessionKeyRow');
export type SessionKeyRow = t.TypeOf<typeof SessionKeyRow>;

/** The charges of a key on one day; `charged` in millionths. */
export interface UsagePart {
  /** Such as `2026-01-31`. */
  readonly day: string;
  readonly category: string;
  readonly key_id: string;
  readonly charges: number;
  readonly charged: bigint;
}

export const usageFields = ['day', 'month', 'category', 'key'] as const;
export type UsageField = (typeof usageFields)[number];

interface UsageSum {
  readonly charges: number;
  readonly amount: Credits;
}

const monthLength = 7;

const groupOf = ({ day, category, key_id }: UsagePart, by: ReadonlySet<UsageField>) => ({
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

/** Sums usage grouped by fields, in ascending order, and in total. Without fields there are no groups. */
export const sumUsage = (parts: ReadonlyArray<UsagePart>, by: ReadonlySet<UsageField>) => {
  const groups = new Map<string, ReturnType<typeof groupOf> & UsageSum>();
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
