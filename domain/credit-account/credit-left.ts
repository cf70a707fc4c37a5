import { type Credits, creditsOf, subtract } from '../kernel/credits.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { CreditAccountState } from './decider.js';
import { spentWithin } from './recent-charges.js';

/** What may be spent before spending is admitted no more: the balance, or what its window leaves when that is less. */
export const creditLeft = ({ balance, window, recent }: CreditAccountState, at: Timestamp): Credits => {
  if (window === null) return balance;
  const open = subtract(creditsOf(window.limit), spentWithin(recent, window.period_seconds, at));
  return open < balance ? open : balance;
};
