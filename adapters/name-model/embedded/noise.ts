import type { Turn } from './turns.js';

/** Small words that nobody writes with a capital within a sentence. */
const small = new Set(
  'of with from the and is our your we will my to in for at on by be this that it you as so but have are was or me'.split(
    ' ',
  ),
);

/** The share of words that are such slips from which a transcript is noisy, and how many there must be at least. */
const [share, least] = [0.000_25, 2];

const isSlip = ({ tokens }: Turn, at: number): boolean => {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || before.stops || before.utterance !== token.utterance) return false;
  return small.has(token.lower) && /^\p{Lu}\p{Ll}/u.test(token.text);
};

/**
 * Whether a recogniser wrote the transcript: it begins sentences in the middle of others, with capitals for small words,
 * and writes no word that is broken off. Such a text has what names sound like, and not how they are written.
 */
export const isNoisy = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const slips = turns.reduce((sum, turn) => sum + turn.tokens.filter((_, at) => isSlip(turn, at)).length, 0);
  return slips >= least && slips >= tokens.length * share && !tokens.some(({ broken }) => broken);
};
