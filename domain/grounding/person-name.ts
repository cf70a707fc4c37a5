import { isRealName } from '../kernel/names.js';
import { foldedWords } from './folded-words.js';
import { namesNobody, neverInNames } from './not-names.js';
import { mixesScripts } from './scripts.js';

const [mostCharacters, mostWords] = [100, 10];

/** Letters with what may stand between them: blanks, apostrophes, hyphens, full stops, commas, middle dots. */
const nameCharacters = /^[\p{L}\p{M}\p{Zs}'’‘ʼʻ\-‐‑.,·・‧׳״]+$/u;
const address = /\bwww\.|\p{L}{2,}\.\p{Ll}{2,}/u;
const oneLetter = /^(?:(?![\p{scx=Han}\p{scx=Hang}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}])\p{L})\p{M}*$/u;

/** A name in plain characters, without those that no one sees. */
export const tidyName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{DI}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

const hasLikelyForm = (name: string): boolean =>
  name.isWellFormed() &&
  name.length <= mostCharacters &&
  nameCharacters.test(name) &&
  !address.test(name) &&
  !mixesScripts(name);

/**
 * Whether a tidied text can be what a person is called: no placeholder, title alone, role, pronoun, greeting, company,
 * redaction, address or number, and in letters that belong together. Any script, any case.
 */
export const isPersonName = (name: string): boolean => {
  if (!isRealName(name) || !hasLikelyForm(name)) return false;
  const words = foldedWords(name).map(({ word, start, end }) => ({ word, written: name.slice(start, end) }));
  return (
    words.length > 0 &&
    words.length <= mostWords &&
    !words.some(({ word, written }) => neverInNames(word, written)) &&
    !words.every(({ word }) => namesNobody(word) || oneLetter.test(word))
  );
};
