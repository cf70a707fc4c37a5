import * as t from 'io-ts';
import { Permission, RetentionDays } from '../../../domain/access/contract.js';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { BodyAccountId, LabelText, NameText, list, pageOf, integer, record } from './values.js';
import { AccountId, AudioId, KeyId, RunId, SessionId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { LedgerCategory } from '../../../projections/credit-views.js';
import { AccountView } from '../../../projections/views.js';
import { CreditsNumber } from '../../../domain/kernel/credits.js';
import { CreditsAsText } from './credits.js';

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

const ShownEntry = record(
  {
    entry_id: t.string,
    at: Timestamp,
    kind: t.keyof({ grant: null, charge: null, correction: null }),
    category: LedgerCategory,
    amount: CreditsAsText,
    balance_after: CreditsAsText,
    reason: t.string,
    request_id: t.string,
  },
  { run_id: RunId, session_id: SessionId, audio_id: AudioId },
  'LedgerEntry',
);

export const Ledger = pageOf('entries', ShownEntry, 'Ledger');

const sum = { charges: t.number, amount: CreditsNumber };

export const Usage = t.type(
  {
    from: nullable(Timestamp),
    to: nullable(Timestamp),
    groups: t.readonlyArray(
      record(sum, { day: t.string, month: t.string, category: t.string, key_id: t.string }, 'UsageGroup'),
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

export const OpenAccountBody = t.partial(
  { account_id: nullable(BodyAccountId), name: nullable(NameText) },
  'OpenAccountBody',
);

/** Null clears the name; absent leaves it. */
export const AccountDetailsBody = t.partial({ name: nullable(NameText) }, 'AccountDetailsBody');

/** Null: media are kept until they are erased by request. */
export const RetentionBody = t.type({ days: nullable(RetentionDays) }, 'RetentionBody');

const secondsUpTo = (name: string, most: number) => integer(name, 60, most, 'a whole number of seconds');

const askedRights = {
  label: nullable(LabelText),
  admin: nullable(t.boolean),
  permissions: nullable(list(Permission, 100, 'permissions')),
};

/** A key issued by an administrator is valid for up to 366 days, or without limit. */
export const IssueKeyBody = t.partial(
  { ...askedRights, expires_in_seconds: nullable(secondsUpTo('KeyLifetime', 31_622_400)) },
  'IssueKeyBody',
);

/** A key created with another key is valid for up to a day. */
export const MakeKeyBody = t.partial(
  { ...askedRights, replace: nullable(t.boolean), expires_in_seconds: nullable(secondsUpTo('OwnKeyLifetime', 86_400)) },
  'MakeKeyBody',
);
