import * as t from 'io-ts';

/** A number of tokens: a safe integer, 0 or more. */
export const Tokens = t.refinement(t.number, (count) => Number.isSafeInteger(count) && count >= 0, 'Tokens');
