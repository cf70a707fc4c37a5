import { isRealName } from '../kernel/names.js';
import { foldedWords, mixesScripts } from './folded-words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''));

/** Titles and offices; not a name by themselves. */
const titles = set(`
  mr mrs ms miss mx mister missus sir madam maam lady lord dame dr doctor prof professor rev reverend father sister
  brother hon honourable honorable right minister secretary senator congressman congresswoman representative
  councillor councilor commissioner ambassador governor mayor president chancellor premier deputy judge justice captain
  major colonel general sergeant lieutenant officer detective herr frau monsieur madame señor señora sr sra jr
`);

/** Jobs and roles; never part of a name. */
const jobs = set(`
  operator agent customer caller speaker host cohost moderator chair chairman chairwoman chairperson ceo cfo coo cto cio
  evp svp vp chief executive director manager analyst assistant associate supervisor advisor adviser receptionist
  interviewer interviewee narrator announcer presenter participant attendee audience facilitator organiser organizer
  client consultant counsel treasurer coordinator technician specialist rep spokesperson spokesman spokeswoman
  colleague staff employee system user administrator admin root bot chatbot оператор агент клиент operador operadora agente cliente kunde kundin
`);

/** Placeholders for removed or unknown names. */
const redactions = set(`
  pii redacted anonymous anonymized anonymised unknown unnamed unidentified inaudible unintelligible crosstalk masked
  undefined null name username firstname lastname surname placeholder
`);

const companies = set(`
  inc incorporated corp corporation ltd limited llc llp plc gmbh ag company companies bank group holdings partners
  securities capital university institute department committee ministry team support service services
`);

const joining = set('and or but nor versus vs aka und et');
const greetings = set('hello hi hey thanks thank welcome please sorry bye goodbye');

/** Function words. Some are also names (An, He, So, You); then they are capitalized. */
const smallWords = set(`
  i me my mine myself you your yours yourself he him his she her hers it its we us our ours they them their theirs this
  that these those who whom a an the of to in on at for from with by as is am are was were be been not no yes yeah
`);

/** Common words: a name never consists only of these. */
const ordinary = set(`
  someone somebody anyone anybody everyone everybody nobody none person people member members guest guests one two three
  first last next previous other another same yep nope ok okay sure right well so just here there now then today tomorrow
  good morning afternoon evening night day ladies gentlemen guys folks friend friends buddy mate pal dude dear honey
  darling mom mum mommy mummy dad daddy grandma grandpa mother father son daughter uncle aunt brother sister wife husband
  kid kids baby child boss question answer call line monday tuesday wednesday thursday friday saturday sunday
`);

/** Whether a word, given normalized and as written, never occurs in a person's name. */
const isNeverInName = (folded: string, written: string): boolean =>
  [jobs, redactions, companies, joining, greetings].some((words) => words.has(folded)) ||
  (smallWords.has(folded) && !/\p{Lu}/u.test(written));

/** Whether a word is no name by itself or together with similar words. */
const isCommonWord = (folded: string): boolean =>
  [titles, smallWords, ordinary].some((words) => words.has(folded)) || /^x+$/.test(folded);

const [maxCharacters, maxWords] = [100, 10];

/** Letters, and the characters allowed between them: blanks, apostrophes, hyphens, full stops, commas, middle dots. */
const nameCharacters = /^[\p{L}\p{M}\p{Zs}'’‘ʼʻ\-‐‑.,·・‧׳״]+$/u;
const address = /\bwww\.|\p{L}{2,}\.\p{Ll}{2,}/u;
const oneLetter = /^(?:(?![\p{scx=Han}\p{scx=Hang}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}])\p{L})\p{M}*$/u;

/** Normalizes a name and removes invisible characters. */
export const tidyName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{DI}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

const hasLikelyForm = (name: string): boolean =>
  name.isWellFormed() &&
  name.length <= maxCharacters &&
  nameCharacters.test(name) &&
  !address.test(name) &&
  !mixesScripts(name);

/**
 * Whether a normalized text can be a person's name: not a placeholder, bare title, role, pronoun, greeting, company,
 * redaction, address or number, and not of mixed scripts. Any script and case is allowed.
 */
export const isPersonName = (name: string): boolean => {
  if (!isRealName(name) || !hasLikelyForm(name)) return false;
  const words = foldedWords(name).map(({ word, start, end }) => ({ word, written: name.slice(start, end) }));
  return (
    words.length > 0 &&
    words.length <= maxWords &&
    !words.some(({ word, written }) => isNeverInName(word, written)) &&
    !words.every(({ word }) => isCommonWord(word) || oneLetter.test(word))
  );
};
