/** A word normalized for comparison: without case, compatibility forms, apostrophes and invisible characters. */
export interface FoldedWord {
  readonly word: string;
  /** Its range in the original text. */
  readonly start: number;
  readonly end: number;
}

/** Scripts written without spaces or with attached endings: each character counts as a word. */
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
const invisible = String.raw`\p{Cf}\p{DI}`;
const apostrophes = String.raw`'’‘ʼʻ＇\x60´`;

const oneCharacter = String.raw`(?=[\p{L}\p{N}])${unspaced}[\p{M}${invisible}]*`;
const spacedWord = String.raw`(?:(?!(?=[\p{L}\p{N}])${unspaced})[\p{L}\p{N}\p{M}${invisible}${apostrophes}])+`;
const words = new RegExp(String.raw`${oneCharacter}|${spacedWord}|\p{S}`, 'gu');
const unheard = new RegExp(`[${invisible}${apostrophes}]`, 'gu');
const plain = /^[A-Za-z0-9]+$/;

const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text.replace(unheard, '').normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(unheard, '');

/**
 * Splits a text into normalized words. Texts that differ only in case, white space, punctuation and invisible
 * characters have equal words; look-alike letters stay different. Runs in linear time.
 */
export const foldedWords = (text: string): readonly FoldedWord[] => {
  const found: FoldedWord[] = [];
  for (const { 0: raw, index } of text.matchAll(words))
    for (const word of fold(raw).split(/\s+/u))
      if (word !== '') found.push({ word, start: index, end: index + raw.length });
  return found;
};

/** The normalized words joined by blanks, for comparison. */
export const foldedText = (text: string): string =>
  foldedWords(text)
    .map(({ word }) => word)
    .join(' ');

/** Length of the longest border of each prefix (Knuth, Morris, Pratt). */
const borders = (pattern: readonly string[]): readonly number[] => {
  const lengths = [0];
  for (let at = 1, length = 0; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = lengths[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    lengths.push(length);
  }
  return lengths;
};

/** Returns a search for consecutive words: index of the first occurrence, or null. */
export const wordFinder = (pattern: readonly string[]): ((words: readonly string[]) => number | null) => {
  const fallBack = borders(pattern);
  return (words) => {
    if (pattern.length === 0 || pattern.length > words.length) return null;
    for (let at = 0, matched = 0; at < words.length; at += 1) {
      while (matched > 0 && words[at] !== pattern[matched]) matched = fallBack[matched - 1] ?? 0;
      if (words[at] === pattern[matched]) matched += 1;
      if (matched === pattern.length) return at - matched + 1;
    }
    return null;
  };
};
