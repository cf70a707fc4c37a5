import * as t from 'io-ts';
import { Permission } from '../../../domain/access/contract.js';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { AccountId, AudioId, KeyId, RunId, SessionId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { LedgerCategory } from '../../../projections/credit-views.js';
import { AccountView } from '../../../projections/views.js';
import { pageOf } from './page.js';
import { CreditsNumber } from '../../../domain/kernel/credits.js';
import { CreditsAsText } from '../codecs/credits.js';

export const Account = AccountView;

export const AccountPage = pageOf('accounts', Account, 'AccountPage');

const rights = { label: nullable(t.string), admin: t.boolean, permissions: t.readonlyArray(Permission) };

/** `key` is the secret key, which is shown only once. */
export const NewKey = t.type(
  {
    key_id: KeyId,
    key: t.string,
    ...rights,
    account_id: AccountId,
    expires_at: nullable(Timestamp),
    created_at: Timestamp,
  },
  'NewKey',
);

/** An API key without the secret. */
const ApiKey = t.type(
  {
    key_id: KeyId,
    account_id: AccountId,
    ...rights,
    expires_at: nullable(Timestamp),
    made_by: nullable(KeyId),
    created_at: Timestamp,
    revoked_at: nullable(Timestamp),
  },
  'ApiKey',
);

export const ApiKeyPage = pageOf('keys', ApiKey, 'ApiKeyPage');

export const RevokedKey = t.type({ key_id: KeyId, revoked_at: Timestamp }, 'RevokedKey');

/** The admin key from the environment has neither `label` nor `created_at`. */
export const Me = t.type(
  {
    account_id: AccountId,
    name: nullable(t.string),
    key_id: KeyId,
    ...rights,
    expires_at: nullable(Timestamp),
    balance: CreditsNumber,
    created_at: nullable(Timestamp),
  },
  'Me',
);

/** Null: media are kept until they are erased by request. */
export const Retention = t.type({ days: nullable(t.number) }, 'Retention');

export const Balance = t.type({ balance: CreditsNumber }, 'Balance');

export const SpendingWindow = t.type(
  { limit: nullable(CreditsNumber), period_seconds: nullable(t.number) },
  'SpendingWindow',
);

export const AccountCredits = t.type(
  {
    account_id: AccountId,
    balance: CreditsNumber,
    held: CreditsNumber,
    window: nullable(
      t.type({ limit: CreditsAsText, period_seconds: t.number, spent: CreditsAsText }, 'WindowOfSpending'),
    ),
  },
  'AccountCredits',
);

const ShownEntry = t.intersection(
  [
    t.type({
      entry_id: t.string,
      at: Timestamp,
      kind: t.keyof({ grant: null, charge: null, correction: null }),
      category: LedgerCategory,
      amount: CreditsAsText,
      balance_after: CreditsAsText,
      reason: t.string,
      request_id: t.string,
    }),
    t.partial({ run_id: RunId, session_id: SessionId, audio_id: AudioId }),
  ],
  'LedgerEntry',
);

export const Ledger = t.type({ entries: t.readonlyArray(ShownEntry), next_cursor: nullable(t.string) }, 'Ledger');

const sum = { charges: t.number, amount: CreditsNumber };

export const Usage = t.type(
  {
    from: nullable(Timestamp),
    to: nullable(Timestamp),
    groups: t.readonlyArray(
      t.intersection(
        [t.type(sum), t.partial({ day: t.string, month: t.string, category: t.string, key_id: t.string })],
        'UsageGroup',
      ),
    ),
    total: t.type(sum, 'UsageTotal'),
  },
  'Usage',
);

/** Why a call would be refused, or was: the value of `X-Refusal-Reason`. */
const RefusalReason = t.keyof(
  { zero_balance: null, negative_balance: null, window_used_up: null, held: null, max_credits: null },
  'RefusalReason',
);

export const CostEstimate = t.type(
  {
    credits_min: CreditsNumber,
    credits_max: CreditsNumber,
    balance: CreditsNumber,
    admitted: t.boolean,
    reason: nullable(RefusalReason),
  },
  'CostEstimate',
);
