import * as t from 'io-ts';

/** A number of tokens that can be billed. */
export const Tokens = t.refinement(t.number, (count) => Number.isSafeInteger(count) && count >= 0, 'Tokens');
