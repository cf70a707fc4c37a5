import type { CreditAccountRefusal } from '../../../domain/credit-account/contract.js';
import { creditsText } from '../../../domain/kernel/credits.js';
import { type HttpError, coded } from './http-error.js';
import type { RefusalAnswers } from './refusal.js';

/** The answers to refusals of a credit account; those of admission have no code (specification, section 7.3). */
export const creditRefusals: Pick<RefusalAnswers, CreditAccountRefusal['_tag']> = {
  InvalidAmount: (refusal) => {
    const amount = creditsText(refusal.amount);
    return coded(422, 'invalid_amount', `${amount} is not a valid amount of credits`, { amount });
  },
  BalanceOutOfRange: (refusal) => {
    const balance = creditsText(refusal.balance);
    const message = `The balance would be ${balance}: it must be between -1,000,000,000 and 1,000,000,000 (exclusive)`;
    return coded(409, 'balance_out_of_range', message, { balance });
  },
  ZeroBalance: () => ({ status: 402, detail: 'No credits left: the balance is zero' }),
  NegativeBalance: ({ balance }) => ({
    status: 402,
    detail: `The credit balance is negative: ${creditsText(balance)}`,
  }),
  WindowUsedUp: ({ limit, opens_at }) => ({
    status: 402,
    detail: `The spending window of ${creditsText(limit)} credits is used up${opens_at === null ? '' : ` until ${opens_at}`}`,
  }),
  AllCreditsHeld: ({ of, held }) => ({
    status: 402,
    detail: `All ${of === 'balance' ? 'credits of the account' : 'credits left in the spending window'} are reserved by calls in progress (${creditsText(held)}): try again when they have ended`,
  }),
};

const answerTo = <Tag extends CreditAccountRefusal['_tag']>(
  refusal: Extract<CreditAccountRefusal, { _tag: Tag }>,
): HttpError => {
  const answer: (refusal: Extract<CreditAccountRefusal, { _tag: Tag }>) => HttpError = creditRefusals[refusal._tag];
  return answer(refusal);
};

/** The answer when a realtime session cannot start for lack of credit: the same, with a code. */
export const noCreditToStart = (why: CreditAccountRefusal): HttpError => {
  const { status, detail } = answerTo(why);
  const message = typeof detail === 'string' ? detail : detail.message;
  return coded(status, 'insufficient_credits', message, { retryable: why._tag === 'AllCreditsHeld' });
};
