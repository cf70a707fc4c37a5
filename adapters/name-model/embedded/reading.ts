import { readFileSync } from 'node:fs';
import { inPackage } from '../../runtime/package-files.js';
import type { Turn } from './turns.js';

const lists = new Map(
  Array.from(
    readFileSync(inPackage('adapters/name-model/embedded/words.txt'), 'utf8').matchAll(/^\[(\w+)\].*\n([^[]*)/gm),
    ([, name = '', words = '']) => [name, words],
  ),
);

/** The words of a list of `words.txt`, in which `_` is a space within a name. */
const wordsOf = (list: string): ReadonlySet<string> =>
  new Set(
    (lists.get(list) ?? '')
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll('_', ' ')),
  );

export const titles = wordsOf('titles');
export const particles = wordsOf('particles');
export const offices = wordsOf('offices');
const ambiguousNames = wordsOf('ambiguousNames');
export const ordinary = wordsOf('ordinary');
export const firmWords = wordsOf('firmWords');
export const openers = wordsOf('openers');
export const firms = wordsOf('firms');
export const commonSurnames = wordsOf('commonSurnames');
const lowerCaseWords = wordsOf('lowerCaseWords');

/** An initial: an abbreviated name. */
export const initial = /^\p{Lu}(?:\.\p{Lu})*\.?$/u;

const ordinaryStart = '^(#Adjective|#Adverb|#Verb|#Demonym|#Organization|#Place)';

const cached = (answer: (lower: string) => boolean) => {
  const known = new Map<string, boolean>();
  return (lower: string): boolean => {
    const found = known.get(lower) ?? answer(lower);
    known.set(lower, found);
    return found;
  };
};

/**
 * Words known to the library `compromise`, which is loaded on demand. Answers are cached for one question only, so that
 * words of a transcript are not kept longer.
 */
export const loadKnownWords = async (): Promise<KnownWords> => {
  const { default: nlp } = await import('compromise/two');
  const isFirstName = cached((lower) => nlp(lower).has('^#FirstName$'));
  const isOrdinary = cached((lower) => nlp(lower).has(ordinaryStart) && !nlp(lower).has('#Person'));
  return {
    isKnown: (word) => {
      const lower = word.toLowerCase();
      return (lower !== word && ambiguousNames.has(lower)) || isFirstName(lower);
    },
    isOrdinary: (words) => isOrdinary(words.toLowerCase()),
  };
};

/** Whether a word is a known first name. */
export type KnownName = (word: string) => boolean;

/** What is known about words without their context. */
export interface KnownWords {
  readonly isKnown: KnownName;
  /** Whether words begin with an adjective, a verb, an origin, a place or an organization, and hold no person's name. */
  readonly isOrdinary: (words: string) => boolean;
}

/** The properties of a transcript that decide how names are recognised in it. */
export interface Reading extends KnownWords {
  readonly cased: boolean;
  /** Whether capitals are unreliable, because a speech recogniser set them. */
  readonly noisy: boolean;
  /** Whether the capital of a word may be wrong: a noisy transcript also has the word in lower case. */
  readonly isSlip: (lower: string) => boolean;
}

/** A transcript is noisy from this share of wrong capitals on, and this number of them. */
const [minShare, minSlips] = [0.000_25, 2];

/** Whether a word within a sentence is one that is never capitalised there. */
const isSmall = ({ tokens }: Turn, at: number): boolean => {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || before.stops || before.utterance !== token.utterance) return false;
  return lowerCaseWords.has(token.lower);
};

const isSlip = (turn: Turn, at: number): boolean =>
  isSmall(turn, at) && /^\p{Lu}\p{Ll}/u.test(turn.tokens[at]?.text ?? '');

const count = (turns: readonly Turn[], isCounted: (turn: Turn, at: number) => boolean): number =>
  turns.reduce((sum, turn) => sum + turn.tokens.filter((_, at) => isCounted(turn, at)).length, 0);

const fewWords = 50;

/**
 * Whether a transcript uses capitals normally, so that they indicate names. In a short one, almost every word may have
 * one: "Hi, I'm Grace Hopper."
 */
const isCased = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const capitals = tokens.filter(({ text }) => /^\p{Lu}/u.test(text)).length;
  if (capitals < tokens.length * 0.7) return capitals > tokens.length * 0.03;
  if (tokens.length > fewWords) return false;
  return tokens.some(({ text }) => /^\p{Lu}\p{Ll}/u.test(text)) && count(turns, isSlip) * 2 <= count(turns, isSmall);
};

/**
 * Whether a transcript was written by a speech recogniser: it capitalises small words within sentences, and has no words
 * that are broken off. In such a text names are spelled as they sound.
 */
const isNoisy = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const slips = count(turns, isSlip);
  return slips >= minSlips && slips >= tokens.length * minShare && !tokens.some(({ broken }) => broken);
};

const smallWords = (turns: readonly Turn[]): ReadonlySet<string> => {
  const small = new Set<string>();
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (text === lower || !/^\p{Lu}/u.test(text)) small.add(lower);
  return small;
};

/** Determines the properties of a transcript. */
export const readingOf = (turns: readonly Turn[], words: KnownWords): Reading => {
  const cased = isCased(turns);
  const noisy = cased && isNoisy(turns);
  const small = noisy ? smallWords(turns) : new Set<string>();
  return { ...words, cased, noisy, isSlip: (lower) => small.has(lower) };
};
