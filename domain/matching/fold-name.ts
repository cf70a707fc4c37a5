/** Signs that names are as often written without: accents, and the vowel signs of Hebrew and Arabic. */
const accents = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u0591-\u05BD\u064B-\u065F\u0670]/gu;
const apostrophes = /['’‘ʼʻ`´]/gu;

/** Letters that no normal form takes apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const takenApart = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

const withoutMarks = (name: string): string =>
  name
    // Before the normal form, which makes a blank of one (´), and after it, which makes one of letters (ŉ).
    .replace(apostrophes, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(accents, '')
    .replace(takenApart, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');

/** Of these no sign is taken apart. */
const plainText = /^[\x20-\x7E]*$/u;

/**
 * A name reduced to what makes it that name: compatibility forms, accents, case, punctuation and spacing taken away.
 * The vowels of Indian scripts and the voicing marks of Japanese stay: without them it would be another name.
 */
export const foldName = (name: string): string =>
  (plainText.test(name) ? name.toLowerCase().replace(apostrophes, '') : withoutMarks(name))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
