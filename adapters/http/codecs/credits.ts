import * as O from 'fp-ts/lib/Option.js';
import * as t from 'io-ts';
import { PeriodSeconds } from '../../../domain/credit-account/contract.js';
import {
  type Credits,
  CreditsText,
  creditsFromNumber,
  creditsNumber,
  zeroCredits,
} from '../../../domain/kernel/credits.js';
import { isBlank } from '../../../domain/kernel/names.js';
import { type Schema, credits, creditsUpTo, described, descriptionOf, limits, ReasonText } from './values.js';

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
