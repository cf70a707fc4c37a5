import type { KnownName } from './reading.js';
import { ambiguousNames } from './vocabulary.js';

/**
 * What `compromise` knows about first names. It is loaded when it is first needed, and asked once about each word of one
 * question: the words of a transcript are not kept any longer.
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
