import { closest, distance } from 'fastest-levenshtein';

/** A hint at the most similar known word; empty if none is similar. */
export const didYouMean = (given: string, known: ReadonlyArray<string>): string => {
  const best = closest(
    given.toLowerCase(),
    known.map((word) => word.toLowerCase()),
  );
  const word = known.find((candidate) => candidate.toLowerCase() === best);
  return word !== undefined && distance(given.toLowerCase(), best) <= Math.max(2, given.length / 3)
    ? `. Did you mean ${word}?`
    : '';
};
