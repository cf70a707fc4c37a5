import { closest } from 'fastest-levenshtein';

/** The known word that is most similar to the given one, upper and lower case alike. */
const nearest = (given: string, known: ReadonlyArray<string>): string | undefined => {
  const best = closest(
    given.toLowerCase(),
    known.map((word) => word.toLowerCase()),
  );
  return known.find((word) => word.toLowerCase() === best);
};

/** A hint at the nearest known word; empty if no word is known. */
export const didYouMean = (given: string, known: ReadonlyArray<string>): string => {
  const word = nearest(given, known);
  return word === undefined ? '' : `. Did you mean ${word}?`;
};
