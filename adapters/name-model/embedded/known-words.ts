import type { KnownWords } from './reading.js';
import { ambiguousNames } from './vocabulary.js';

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
