import * as O from 'fp-ts/lib/Option.js';
import * as t from 'io-ts';
import { Permission, RetentionDays } from '../../../domain/access/contract.js';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import {
  type Schema,
  BodyAccountId,
  LabelText,
  NameText,
  ReasonText,
  credits,
  creditsUpTo,
  described,
  descriptionOf,
  integer,
  limits,
  list,
  pageOf,
  record,
} from './values.js';
import { AccountId, AudioId, KeyId, RunId, SessionId } from '../../../domain/kernel/ids.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { LedgerEntry } from '../../../projections/credit-views.js';
import { AccountView, ApiKeyView } from '../../../projections/views.js';
import { PeriodSeconds } from '../../../domain/credit-account/contract.js';
import {
  type Credits,
  CreditsNumber,
  CreditsText,
  creditsFromNumber,
  creditsNumber,
  zeroCredits,
} from '../../../domain/kernel/credits.js';
import { isBlank } from '../../../domain/kernel/names.js';

const creditNumber = (name: string, accepts: (amount: Credits) => boolean, schema: Schema, expected: string) =>
  described(
    new t.Type<Credits, number>(
      name,
      (value): value is Credits => typeof value === 'bigint',
      (value, context) => {
        const amount = typeof value === 'number' ? creditsFromNumber(value) : O.none;
        return O.isSome(amount) && accepts(amount.value) ? t.success(amount.value) : t.failure(value, context);
      },
      creditsNumber,
    ),
    schema,
    `an amount of credits ${expected}, with at most 6 decimal places`,
  );

/** Credits as stored in rows (decimal text), encoded as a number. */
export const CreditsAsText = described(
  new t.Type<CreditsText, number>(
    'CreditsAsText',
    CreditsText.is,
    (value, context) => CreditsText.validate(value, context),
    Number,
  ),
  credits,
);

const Reason = described(
  t.refinement(ReasonText, (text) => !isBlank(text), 'Reason'),
  { pattern: '\\S', maxLength: limits.reason },
  'a text of 1 to 1,000 characters that is not blank',
);

const NonZeroCredits = creditNumber(
  'NonZeroCredits',
  (amount) => amount !== zeroCredits,
  { ...creditsUpTo(), not: { const: 0 } },
  'other than 0, between -1,000,000,000 and 1,000,000,000 (exclusive)',
);

export const BookCreditsBody = t.type({ amount: NonZeroCredits, reason: Reason }, 'BookCreditsBody');

/** The most that is to be spent. */
export const CreditLimit = creditNumber(
  'CreditLimit',
  (limit) => limit >= zeroCredits,
  creditsUpTo(0),
  'of at least 0 and below 1,000,000,000',
);

const WantedWindow = t.type({
  limit: CreditLimit,
  period_seconds: PeriodSeconds,
});
type WantedWindow = t.TypeOf<typeof WantedWindow>;

const isCleared = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'limit' in value && value.limit === null;

/** `{limit: null}` clears the window; other fields are ignored. */
export const SpendingWindowBody = described(
  new t.Type<WantedWindow | null, unknown>(
    'SpendingWindowBody',
    (value): value is WantedWindow | null => value === null || WantedWindow.is(value),
    (value, context) => (isCleared(value) ? t.success(null) : WantedWindow.validate(value, context)),
    t.identity,
  ),
  {
    type: 'object',
    description: '`limit: null` clears the window; other fields are then ignored.',
    properties: {
      limit: { type: ['number', 'null'], minimum: 0, maximum: creditsUpTo()['maximum'] },
      period_seconds: descriptionOf(PeriodSeconds)?.schema ?? {},
    },
    required: ['limit'],
    not: { properties: { limit: { type: 'number' }, period_seconds: { not: {} } } },
  },
  'an object',
);

export const Account = AccountView;

export const AccountPage = pageOf('accounts', Account, 'AccountPage');

const { key_hash: _hash, ...key } = ApiKeyView.props;

/** An API key without the hash of its secret. */
const ApiKey = t.strict(key, 'ApiKey');

const { label, admin, permissions } = key;
const rights = { label, admin, permissions };

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

const { entry_id, at, kind, category, reason, request_id } = LedgerEntry.props;

const ShownEntry = t.exact(
  record(
    { entry_id, at, kind, category, amount: CreditsAsText, balance_after: CreditsAsText, reason, request_id },
    { run_id: RunId, session_id: SessionId, audio_id: AudioId },
  ),
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
