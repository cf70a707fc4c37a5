import { isNoisy } from './noise.js';
import { isCased, type Turn } from './turns.js';

/** Whether a word is known as somebody's first name. */
export type KnownName = (word: string) => boolean;

/** How a transcript is read: by its capitals, or without. */
export interface Reading {
  readonly cased: boolean;
  /** Whether a recogniser set the capitals, so that one may be a slip. */
  readonly noisy: boolean;
  readonly isKnown: KnownName;
  /** Whether a word in lower case shows that its capital is a slip elsewhere: a noisy transcript has it small, too. */
  readonly isSlip: (lower: string) => boolean;
}

const smallWords = (turns: readonly Turn[]): ReadonlySet<string> => {
  const small = new Set<string>();
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (text === lower || !/^\p{Lu}/u.test(text)) small.add(lower);
  return small;
};

/** How these turns are to be read. */
export const readingOf = (turns: readonly Turn[], isKnown: KnownName): Reading => {
  const cased = isCased(turns);
  const noisy = cased && isNoisy(turns);
  const small = noisy ? smallWords(turns) : new Set<string>();
  return { cased, noisy, isKnown, isSlip: (lower) => small.has(lower) };
};
