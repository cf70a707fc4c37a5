import type { Turn } from './turns.js';

/** Whether the edit distance of two words is at most 1. */
const isOneEditApart = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(at + (short.length === long.length ? 1 : 0)) === long.slice(at + 1);
};

/** Whether two words may be variants of one name: `Brendan` and `Brendon`, `Matt` and `Matthew`. */
export const isSameWord = (one: string, other: string): boolean => {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  return (
    (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) || (shorter >= 4 && isOneEditApart(one, other))
  );
};

/** Whether two names may belong to one person. */
export type SameName = (one: readonly string[], other: readonly string[]) => boolean;

const lower = (words: readonly string[]): readonly string[] => words.map((word) => word.toLowerCase());

/** Two names agree if one contains all words of the other, or if they occur together as one name. */
export const sameNameIn = (turns: readonly Turn[]): SameName => {
  const pairs = new Set(
    turns.flatMap(({ tokens }) =>
      tokens.flatMap(({ lower: word, stops }, at) => (stops ? [] : [`${word} ${tokens[at + 1]?.lower ?? ''}`])),
    ),
  );
  return (one, other) => {
    const [few, many] = one.length <= other.length ? [lower(one), lower(other)] : [lower(other), lower(one)];
    const isPart = few.every((word) => many.some((another) => isSameWord(word, another)));
    return isPart || (many.length === 1 && (pairs.has(`${few[0]} ${many[0]}`) || pairs.has(`${many[0]} ${few[0]}`)));
  };
};
