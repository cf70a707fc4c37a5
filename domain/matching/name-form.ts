import { isRealName } from '../kernel/names.js';

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

export type AddressedAs = 'man' | 'woman';

/** A name without what differs between ways of writing it. */
export interface NameForm {
  /** Its words in the order of the alphabet, without titles. */
  readonly words: string;
  /** What a title says of its bearer: Mr Smith is not Mrs Smith. */
  readonly addressedAs: AddressedAs | null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u).filter((word) => word !== ''));

const ofMen = set('mr mister sir lord monsieur herr senor sr signor');
const ofWomen = set('mrs ms miss missus madam dame lady madame mme mlle mademoiselle frau senora senorita sra signora');
const ofAnyone = set('mx dr doctor prof professor rev reverend hon honourable honorable');
/** Offices are first names and surnames too (Judge, Major, Justice): titles only before two words or more. */
const offices = set(`
  president chancellor premier minister secretary senator congressman congresswoman representative governor mayor
  ambassador commissioner councillor judge justice captain colonel general major sergeant lieutenant officer detective
  father sister brother right
`);
const degree = /^(ph ?d|m ?d|m ?b ?a|m ?sc|b ?sc|ll ?m|esq|dds|rn)$/u;
const degreeAfterName = / (ph ?d|mba|msc|bsc|llm|esq)$/u;

interface Untitled {
  readonly words: readonly string[];
  readonly addressedAs: AddressedAs | null;
}

const withoutTitles = (words: readonly string[]): Untitled => {
  let addressedAs: AddressedAs | null = null;
  const start = words.findIndex((word, at) => {
    if (ofMen.has(word)) addressedAs = 'man';
    else if (ofWomen.has(word)) addressedAs = 'woman';
    else return !ofAnyone.has(word) && !(offices.has(word) && words.length - at > 2);
    return false;
  });
  return { words: start < 0 ? [] : words.slice(start), addressedAs };
};

/** What a tool may put for a name: digits, or a letter that counts. */
const isLabel = (words: string): boolean => !/\p{L}/u.test(words) || /^[a-z]$/u.test(words);

/**
 * The form in which names are compared: "Smith, Dr. John", "JOHN SMITH" and "John Smith, PhD" have the same. Null for
 * what names nobody: placeholders, blanks, a title alone, digits, a single letter.
 */
export const nameForm = (name: string | null): NameForm | null => {
  if (!isRealName(name)) return null;
  const parts = name
    .split(/[,，、]/u)
    .map(foldName)
    .filter((part, n) => part !== '' && (n === 0 || !degree.test(part)))
    .map((part) => withoutTitles(part.replace(degreeAfterName, '').split(' ')));
  const words = parts.flatMap((part) => part.words);
  if (!isRealName(words.join(' ')) || isLabel(words.join(' '))) return null;
  return {
    words: words.sort().join(' '),
    addressedAs: parts.find(({ addressedAs }) => addressedAs !== null)?.addressedAs ?? null,
  };
};

/** Whether two names may be one person's. */
export const isSameName = (a: NameForm, b: NameForm): boolean =>
  a.words === b.words && (a.addressedAs === null || b.addressedAs === null || a.addressedAs === b.addressedAs);
