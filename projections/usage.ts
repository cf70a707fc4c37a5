import { type Credits, addMillionths, zeroCredits } from '../domain/kernel/credits.js';

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
export type UsageField = (typeof usageFields)[number];

export interface UsageSum {
  readonly charges: number;
  readonly amount: Credits;
}

export interface UsageGroup extends UsageSum {
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
