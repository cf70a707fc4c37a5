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
