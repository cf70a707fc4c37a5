import { readFileSync } from 'node:fs';
import { inPackage } from '../../runtime/package-files.js';

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
export const ambiguousNames = wordsOf('ambiguousNames');
export const ordinary = wordsOf('ordinary');
export const firmWords = wordsOf('firmWords');
export const openers = wordsOf('openers');
export const firms = wordsOf('firms');
export const commonSurnames = wordsOf('commonSurnames');
export const lowerCaseWords = wordsOf('lowerCaseWords');

/** An initial: an abbreviated name. */
export const initial = /^\p{Lu}(?:\.\p{Lu})*\.?$/u;
