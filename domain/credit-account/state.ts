import type { Credits, CreditsText } from '../kernel/credits.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { PeriodSeconds } from './contract.js';
import type { Holds } from './holds.js';
import type { RecentCharges } from './recent-charges.js';
import type { RecentIds } from './recent-ids.js';

export interface SpendingWindow {
  readonly limit: CreditsText;
  readonly period_seconds: PeriodSeconds;
}

export interface CreditAccountState {
  readonly balance: Credits;
  /** The ids of the newest charges. An older one is recognised by the id of its event, which derives from its cause. */
  readonly charged: RecentIds;
  readonly recent: RecentCharges;
  readonly window: SpendingWindow | null;
  readonly holds: Holds;
  /** The time of the newest event; null before the first. */
  readonly last_at: Timestamp | null;
}
