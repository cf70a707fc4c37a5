/** Letters of scripts that are easily taken for letters of another script. */
const hasEuropean = (letters: string): boolean =>
  /[\p{scx=Latn}\p{scx=Cyrl}\p{scx=Grek}\p{scx=Copt}\p{scx=Armn}\p{scx=Geor}\p{scx=Cher}\p{scx=Lisu}\p{scx=Goth}\p{scx=Dsrt}]/u.test(
    letters,
  );

/**
 * Whether these letters may occur together in one name (Unicode Technical Standard 39, "highly restrictive"). The
 * patterns lie within functions, so that they are compiled, which takes 50 ms, only when a name is checked.
 */
const areWrittenTogether = (letters: string): boolean =>
  /^\p{scx=Cyrl}+$/u.test(letters) ||
  /^\p{scx=Grek}+$/u.test(letters) ||
  /^\p{scx=Copt}+$/u.test(letters) ||
  /^\p{scx=Armn}+$/u.test(letters) ||
  /^\p{scx=Geor}+$/u.test(letters) ||
  /^\p{scx=Cher}+$/u.test(letters) ||
  /^\p{scx=Lisu}+$/u.test(letters) ||
  /^\p{scx=Goth}+$/u.test(letters) ||
  /^\p{scx=Dsrt}+$/u.test(letters) ||
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+$/u.test(letters) ||
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Bopo}]+$/u.test(letters) ||
  /^[\p{scx=Latn}\p{scx=Han}\p{scx=Hang}]+$/u.test(letters);

const notLetters = /[^\p{L}]+|[\u02B0-\u02FF]+/gu;

/** Whether a name mixes scripts that do not go together, as when a Cyrillic `о` is used for a Latin `o`. */
export const mixesScripts = (name: string): boolean => {
  const letters = name.replace(notLetters, '');
  return hasEuropean(letters) && !areWrittenTogether(letters);
};

/** Cyrillic and Greek letters, each followed by the Latin letter that it looks like. */
const pairs = 'аaеeоoрpсcхxуyіiјjѕsԁdһhвbкkмmнhтtαaεeοoρpνvτtυuιiκkχxηnβb';
const lookalikes = new Map(
  Array.from(pairs.matchAll(/(.)(.)/gu), ([, from = '', to = '']): [string, string] => [from, to]),
);

/** Replaces letters of a normalized name by the Latin letters that they look like. */
export const replaceLookalikes = (folded: string): string =>
  Array.from(folded, (letter) => lookalikes.get(letter) ?? letter).join('');

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
