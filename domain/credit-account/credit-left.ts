import { type Credits, creditsOf, subtract } from '../kernel/credits.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { CreditAccountState } from './state.js';
import { heldByOthersAt } from './holds.js';
import { spentWithin } from './recent-charges.js';

/**
 * What calls that run may go on spending: the balance, or what the spending window leaves when that is less, without
 * what other calls hold. Of these the largest does not count: one call that begins ends no other, and still the account
 * is overdrawn by the cost of one call at most.
 */
export const creditLeft = (
  { balance, window, recent, holds }: CreditAccountState,
  at: Timestamp,
  isOwn: (hold_id: string) => boolean,
): Credits => {
  const held = heldByOthersAt(holds, at, isOwn);
  if (window === null) return subtract(balance, held);
  const open = subtract(creditsOf(window.limit), spentWithin(recent, window.period_seconds, at));
  return subtract(open < balance ? open : balance, held);
};
