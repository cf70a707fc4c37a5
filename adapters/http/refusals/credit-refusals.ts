import {
  type AdmissionRefusal,
  type CreditAccountRefusal,
  refusalReasons,
} from '../../../domain/credit-account/contract.js';
import type { NoCreditToStart } from '../../../application/realtime/admit-session.js';
import { creditsText } from '../../../domain/kernel/credits.js';
import { type HttpError, coded } from './http-error.js';
import type { IdsInPath, RefusalAnswers } from './refusal.js';

/** The reason is in a header, because the text is for people (specification, section 7.3). */
const notAdmitted = ({ _tag }: AdmissionRefusal, detail: string): HttpError => ({
  status: 402,
  detail,
  headers: { 'X-Refusal-Reason': refusalReasons[_tag] },
});

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
  ZeroBalance: (refusal) => notAdmitted(refusal, 'No credits left: the balance is zero'),
  NegativeBalance: (refusal) => notAdmitted(refusal, `The credit balance is negative: ${creditsText(refusal.balance)}`),
  WindowUsedUp: (refusal) => {
    const { limit, spent, amount, opens_at } = refusal;
    const left = `${creditsText(spent)} are spent, and the call may cost ${creditsText(amount)}`;
    const until = opens_at === null ? '' : ` until ${opens_at}`;
    return notAdmitted(refusal, `The spending window of ${creditsText(limit)} credits is used up${until}: ${left}`);
  },
  AllCreditsHeld: (refusal) => {
    const { of, held } = refusal;
    const what = of === 'balance' ? 'credits of the account' : 'credits left in the spending window';
    const message = `The ${what} are reserved by calls in progress (${creditsText(held)}): try again later`;
    return notAdmitted(refusal, message);
  },
  AboveMaxCredits: (refusal) => {
    const [amount, most] = [refusal.amount, refusal.max_credits].map(creditsText);
    return notAdmitted(refusal, `The call may cost ${amount} credits, which is more than its max_credits of ${most}`);
  },
};

const answerTo = <Tag extends CreditAccountRefusal['_tag']>(
  refusal: Extract<CreditAccountRefusal, { _tag: Tag }>,
): HttpError => {
  const answer: (refusal: Extract<CreditAccountRefusal, { _tag: Tag }>, ids: IdsInPath) => HttpError =
    creditRefusals[refusal._tag];
  return answer(refusal, {});
};

/** The answer when a realtime session cannot start for lack of credit: the same, with a code and what is lacking. */
export const noCreditToStart = ({ why, shortage }: NoCreditToStart): HttpError => {
  const { status, detail } = answerTo(why);
  const message = typeof detail === 'string' ? detail : detail.message;
  const { reason, retry_after_seconds } = shortage;
  const retryable = why._tag === 'AllCreditsHeld' || retry_after_seconds !== null;
  const retry = retry_after_seconds === null ? { retryable } : { retryable, retry_after_seconds };
  return coded(status, 'insufficient_credits', message, { reason, ...retry });
};
