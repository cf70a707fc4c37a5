import type { KnownName } from './reading.js';
import { ambiguousNames } from './vocabulary.js';

/**
 * First names known to the library `compromise`, which is loaded on demand. Answers are cached for one question only, so
 * that words of a transcript are not kept longer.
 */
export const loadKnownNames = async (): Promise<KnownName> => {
  const { default: nlp } = await import('compromise/two');
  const known = new Map<string, boolean>();
  return (word) => {
    const lower = word.toLowerCase();
    if (lower !== word && ambiguousNames.has(lower)) return true;
    const answer = known.get(lower) ?? nlp(lower).has('^#FirstName$');
    known.set(lower, answer);
    return answer;
  };
};
