import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { NameInference } from './name-inference.js';

const tokensPerPrice = 1_000;

/** The cost of a run: the base price and the price of its tokens. */
export const costOf = ({ price }: Pick<NameInference, 'price'>, total_tokens: number): Credits =>
  add(price.base, priceOf(price.per_1k_tokens, total_tokens, tokensPerPrice));
