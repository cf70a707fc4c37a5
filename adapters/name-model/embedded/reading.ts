import { isCased, type Turn } from './turns.js';

/** Whether a word is a known first name. */
export type KnownName = (word: string) => boolean;

/** The properties of a transcript that decide how names are recognised in it. */
export interface Reading {
  readonly cased: boolean;
  /** Whether capitals are unreliable, because a speech recogniser set them. */
  readonly noisy: boolean;
  readonly isKnown: KnownName;
  /** Whether the capital of a word may be wrong: a noisy transcript also has the word in lower case. */
  readonly isSlip: (lower: string) => boolean;
}

/** Words that are never capitalised within a sentence. */
const lowerCaseWords = new Set(
  'of with from the and is our your we will my to in for at on by be this that it you as so but have are was or me'.split(
    ' ',
  ),
);

/** A transcript is noisy from this share of wrong capitals on, and this number of them. */
const [minShare, minSlips] = [0.000_25, 2];

const isSlip = ({ tokens }: Turn, at: number): boolean => {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || before.stops || before.utterance !== token.utterance) return false;
  return lowerCaseWords.has(token.lower) && /^\p{Lu}\p{Ll}/u.test(token.text);
};

/**
 * Whether a transcript was written by a speech recogniser: it capitalises small words within sentences, and has no words
 * that are broken off. In such a text names are spelled as they sound.
 */
const isNoisy = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const slips = turns.reduce((sum, turn) => sum + turn.tokens.filter((_, at) => isSlip(turn, at)).length, 0);
  return slips >= minSlips && slips >= tokens.length * minShare && !tokens.some(({ broken }) => broken);
};

const smallWords = (turns: readonly Turn[]): ReadonlySet<string> => {
  const small = new Set<string>();
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (text === lower || !/^\p{Lu}/u.test(text)) small.add(lower);
  return small;
};

/** Determines the properties of a transcript. */
export const readingOf = (turns: readonly Turn[], isKnown: KnownName): Reading => {
  const cased = isCased(turns);
  const noisy = cased && isNoisy(turns);
  const small = noisy ? smallWords(turns) : new Set<string>();
  return { cased, noisy, isKnown, isSlip: (lower) => small.has(lower) };
};
