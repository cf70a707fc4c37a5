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
import { limits, ReasonText } from './values.js';

const creditNumber = (name: string, accepts: (amount: Credits) => boolean): t.Type<Credits, number> =>
  new t.Type(
    name,
    (value): value is Credits => typeof value === 'bigint',
    (value, context) => {
      const amount = typeof value === 'number' ? creditsFromNumber(value) : O.none;
      return O.isSome(amount) && accepts(amount.value) ? t.success(amount.value) : t.failure(value, context);
    },
    creditsNumber,
  );

/** Credits as stored in rows (decimal text), encoded as a number. */
export const CreditsAsText = new t.Type<CreditsText, number>(
  'CreditsAsText',
  CreditsText.is,
  (value, context) => CreditsText.validate(value, context),
  (text) => Number(text),
);

const Reason = Object.assign(
  t.refinement(ReasonText, (text) => !isBlank(text), 'Reason'),
  { most: limits.reason },
);

const NonZeroCredits = creditNumber('NonZeroCredits', (amount) => amount !== zeroCredits);

export const BookCreditsBody = t.type({ amount: NonZeroCredits, reason: Reason }, 'BookCreditsBody');

/** The most that is to be spent. */
export const CreditLimit = creditNumber('CreditLimit', (limit) => limit >= zeroCredits);

const WantedWindow = t.type({
  limit: CreditLimit,
  period_seconds: PeriodSeconds,
});
type WantedWindow = t.TypeOf<typeof WantedWindow>;

const isCleared = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'limit' in value && value.limit === null;

/** `{limit: null}` clears the window; other fields are ignored. */
export const SpendingWindowBody = new t.Type<WantedWindow | null, unknown>(
  'SpendingWindowBody',
  (value): value is WantedWindow | null => value === null || WantedWindow.is(value),
  (value, context) => (isCleared(value) ? t.success(null) : WantedWindow.validate(value, context)),
  t.identity,
);
