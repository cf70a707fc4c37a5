import { isRealName } from '../kernel/names.js';

const apostrophes = /['’‘ʼʻ`´]/gu;
/** Marks that names are often written without: apostrophes, accents, and vowel signs of Hebrew and Arabic. */
const marks =
  /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F\u0591-\u05BD\u064B-\u065F\u0670'’‘ʼʻ`]/gu;

/** Letters that Unicode normalization does not decompose. */
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
    // Before normalization, which turns ´ into a blank, and after it, which turns ŉ into letters.
    .replace(apostrophes, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(marks, '');

/** Text without any character that normalization changes: most names are, without their marks. */
const plainText = /^[\x20-\x7E]*$/u;

/**
 * Normalizes a name for comparison: removes compatibility forms, accents, case, punctuation and repeated spaces. Vowels
 * of Indic scripts and Japanese voicing marks are kept, since they distinguish names.
 */
export const foldName = (name: string): string => {
  const bare = plainText.test(name) ? name.toLowerCase().replace(apostrophes, '') : withoutMarks(name);
  const words = plainText.test(bare)
    ? bare.replace(/[^a-z\d]+/gu, ' ')
    : bare
        .replace(takenApart, (letter) => plainLetters[letter] ?? letter)
        .normalize('NFC')
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  return words.trim();
};

export type AddressedAs = 'man' | 'woman';

/** A name in a form that is equal for all its spellings. */
export interface NameForm {
  /** Its words without titles, sorted. */
  readonly words: string;
  /** Gender given by a title: Mr Smith is not Mrs Smith. */
  readonly addressedAs: AddressedAs | null;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/u).filter((word) => word !== ''));

const ofMen = set('mr mister sir lord monsieur herr senor sr signor');
const ofWomen = set('mrs ms miss missus madam dame lady madame mme mlle mademoiselle frau senora senorita sra signora');
const ofAnyone = set('mx dr doctor prof professor rev reverend hon honourable honorable');
/** Offices are also names (Judge, Major, Justice), so they count as titles only before at least two words. */
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

/** Whether a text is a generated label: only digits, or a single letter. */
const isLabel = (words: string): boolean => !/\p{L}/u.test(words) || /^[a-z]$/u.test(words);

/**
 * The comparison form of a name: equal for "Smith, Dr. John", "JOHN SMITH" and "John Smith, PhD". Null for
 * placeholders, blanks, bare titles, digits and single letters.
 */
export const nameForm = (name: string | null): NameForm | null => {
  if (name === null) return null;
  const parts = name
    .split(/[,，、]/u)
    .map(foldName)
    .filter((part, n) => part !== '' && (n === 0 || !degree.test(part)))
    .map((part) => withoutTitles(part.replace(degreeAfterName, '').split(' ')));
  const words = parts.flatMap((part) => part.words);
  const folded = words.join(' ');
  if (!isRealName(folded) || isLabel(folded)) return null;
  return {
    words: words.sort().join(' '),
    addressedAs: parts.find(({ addressedAs }) => addressedAs !== null)?.addressedAs ?? null,
  };
};

/** Whether two names may belong to one person. */
export const isSameName = (a: NameForm, b: NameForm): boolean =>
  a.words === b.words && (a.addressedAs === null || b.addressedAs === null || a.addressedAs === b.addressedAs);
