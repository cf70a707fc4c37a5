import type { Token, Turn } from './turns.js';
import {
  ambiguousNames,
  firmWords,
  firms,
  initial,
  lowerCaseWords,
  offices,
  ordinary,
  particles,
  titles,
} from './vocabulary.js';

const ordinaryStart = '^(#Adjective|#Adverb|#Verb|#Demonym|#Organization|#Place)';

const cached = (answer: (lower: string) => boolean) => {
  const known = new Map<string, boolean>();
  return (lower: string): boolean => {
    const found = known.get(lower) ?? answer(lower);
    known.set(lower, found);
    return found;
  };
};

/**
 * Words known to the library `compromise`, which is loaded on demand. Answers are cached for one question only, so that
 * words of a transcript are not kept longer.
 */
export const loadKnownWords = async (): Promise<KnownWords> => {
  const { default: nlp } = await import('compromise/two');
  const isFirstName = cached((lower) => nlp(lower).has('^#FirstName$'));
  const isOrdinary = cached((lower) => nlp(lower).has(ordinaryStart) && !nlp(lower).has('#Person'));
  return {
    isKnown: (word) => {
      const lower = word.toLowerCase();
      return (lower !== word && ambiguousNames.has(lower)) || isFirstName(lower);
    },
    isOrdinary: (words) => isOrdinary(words.toLowerCase()),
  };
};

/** Whether a word is a known first name. */
export type KnownName = (word: string) => boolean;

/** What is known about words without their context. */
export interface KnownWords {
  readonly isKnown: KnownName;
  /** Whether words begin with an adjective, a verb, an origin, a place or an organization, and hold no person's name. */
  readonly isOrdinary: (words: string) => boolean;
}

/** The properties of a transcript that decide how names are recognised in it. */
export interface Reading extends KnownWords {
  readonly cased: boolean;
  /** Whether capitals are unreliable, because a speech recogniser set them. */
  readonly noisy: boolean;
  /** Whether the capital of a word may be wrong: a noisy transcript also has the word in lower case. */
  readonly isSlip: (lower: string) => boolean;
}

/** A transcript is noisy from this share of wrong capitals on, and this number of them. */
const [minShare, minSlips] = [0.000_25, 2];

/** Whether a word within a sentence is one that is never capitalised there. */
const isSmall = ({ tokens }: Turn, at: number): boolean => {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (before === undefined || token === undefined || before.stops || before.utterance !== token.utterance) return false;
  return lowerCaseWords.has(token.lower);
};

const isSlip = (turn: Turn, at: number): boolean =>
  isSmall(turn, at) && /^\p{Lu}\p{Ll}/u.test(turn.tokens[at]?.text ?? '');

const count = (turns: readonly Turn[], isCounted: (turn: Turn, at: number) => boolean): number =>
  turns.reduce((sum, turn) => sum + turn.tokens.filter((_, at) => isCounted(turn, at)).length, 0);

const fewWords = 50;

/**
 * Whether a transcript uses capitals normally, so that they indicate names. In a short one, almost every word may have
 * one: "Hi, I'm Grace Hopper."
 */
const isCased = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const capitals = tokens.filter(({ text }) => /^\p{Lu}/u.test(text)).length;
  if (capitals < tokens.length * 0.7) return capitals > tokens.length * 0.03;
  if (tokens.length > fewWords) return false;
  return tokens.some(({ text }) => /^\p{Lu}\p{Ll}/u.test(text)) && count(turns, isSlip) * 2 <= count(turns, isSmall);
};

/**
 * Whether a transcript was written by a speech recogniser: it capitalises small words within sentences, and has no words
 * that are broken off. In such a text names are spelled as they sound.
 */
const isNoisy = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const slips = count(turns, isSlip);
  return slips >= minSlips && slips >= tokens.length * minShare && !tokens.some(({ broken }) => broken);
};

const smallWords = (turns: readonly Turn[]): ReadonlySet<string> => {
  const small = new Set<string>();
  for (const { tokens } of turns)
    for (const { text, lower } of tokens) if (text === lower || !/^\p{Lu}/u.test(text)) small.add(lower);
  return small;
};

/** Determines the properties of a transcript. */
export const readingOf = (turns: readonly Turn[], words: KnownWords): Reading => {
  const cased = isCased(turns);
  const noisy = cased && isNoisy(turns);
  const small = noisy ? smallWords(turns) : new Set<string>();
  return { ...words, cased, noisy, isSlip: (lower) => small.has(lower) };
};

/** A name in a turn: the tokens from `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly titled: boolean;
  readonly possessive: boolean;
  readonly words: readonly string[];
}

const maxWords = { cased: 4, uncased: 3 };
const possessive = /['’]s$/u;
const letters = /^[\p{L}\p{M}]+(?:['’\-‑][\p{L}\p{M}]+)*$/u;

/** A title or office without the space after it. */
const glued = /^(?:Minister|Madame?|Mister|Chair|Chairman|Senator)\p{Lu}/u;

/** Words before the name of a thing instead of a person. */
const pointers = new Set(['the', 'this', 'these', 'those', 'a', 'an', 'every', 'each']);

const bare = (token: Token): string => token.text.replace(possessive, '');
const isStutter = (text: string): boolean => /^(\p{L}{1,3})-\1/iu.test(text);
const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text) && /\p{Ll}|^\p{Lu}{1,2}$/u.test(text);

const mayBeName = (token: Token, { cased, isKnown, isSlip }: Reading): boolean => {
  const text = bare(token);
  if (token.broken || !letters.test(text) || isStutter(text) || glued.test(text)) return false;
  const lower = text.toLowerCase().replace(/’/g, "'");
  if (ordinary.has(lower) || titles.has(lower) || (offices.has(lower) && !isKnown(lower))) return false;
  if (!cased) return lower.length > 1;
  return isCapital(text) && !(isSlip(lower) && !isKnown(text));
};

const joins = (tokens: readonly Token[], at: number, reading: Reading): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined) return false;
  if (mayBeName(token, reading)) return true;
  const small = particles.has(token.lower) || (reading.cased && initial.test(token.text));
  return small && !token.stops && next !== undefined && mayBeName(next, reading);
};

const capitalised = (word: string): string =>
  word.replace(/(^|[-'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

/** Without capitals the end of a long run of words is unknown: a known first name and the next word are used. */
const limitedEnd = (turn: Turn, from: number, to: number, reading: Reading): number | null => {
  if (reading.cased || to - from < maxWords.uncased || !joins(turn.tokens, to, reading)) return to;
  return reading.isKnown(turn.tokens[from]?.lower ?? '') ? from + 2 : null;
};

/** Whether a name is that of a company. */
const isFirm = ({ tokens }: Turn, from: number, to: number): boolean => {
  const parts = tokens.slice(from, tokens[to - 1]?.stops === false ? to + 1 : to);
  const name = tokens.slice(from, to).map((token) => bare(token).toLowerCase());
  return firms.has(name.join(' ')) || parts.some((token, at) => at > 0 && firmWords.has(token.lower));
};

/** Whether a name is a thing, such as "this Bill" or "the Rose"; not if it has a title. */
const isThing = ({ tokens }: Turn, at: number): boolean => {
  const [before, first] = [tokens[at - 1], tokens[at]];
  return before?.stops === false && pointers.has(before.lower) && !titles.has(first?.lower ?? '');
};

/** The name that begins at a token (after titles), or null. */
export const nameAt = (turn: Turn, at: number, reading: Reading): Span | null => {
  const { tokens } = turn;
  if (isThing(turn, at)) return null;
  let from = at;
  while (titles.has(tokens[from]?.lower ?? '') && tokens[from]?.stops === false) from += 1;
  const first = tokens[from];
  if (first === undefined || (!mayBeName(first, reading) && !(initial.test(first.text) && reading.cased))) return null;
  const most = reading.cased ? maxWords.cased : maxWords.uncased;
  let to = from;
  while (to - from < most && joins(tokens, to, reading)) {
    to += 1;
    const last = tokens[to - 1];
    if (last === undefined || last.stops || possessive.test(last.text)) break;
  }
  const cut = limitedEnd(turn, from, to, reading);
  if (cut === null) return null;
  to = cut;
  while (to > from && initial.test(tokens[to - 1]?.text ?? '')) to -= 1;
  const parts = tokens.slice(from, to);
  const end = parts.at(-1);
  if (end === undefined || isFirm(turn, from, to)) return null;
  const words = parts.map((token) => (reading.cased ? bare(token) : capitalised(bare(token))));
  return { from, to, titled: from > at, possessive: possessive.test(end.text), words };
};

/** The longest name that ends just before a token, or null. */
export const nameBefore = (turn: Turn, end: number, reading: Reading): Span | null => {
  for (let from = Math.max(0, end - 4); from < end; from += 1) {
    const before = turn.tokens[from - 1];
    const span = nameAt(turn, from, reading);
    if (span?.to === end && !span.possessive && !(before !== undefined && !before.stops && mayBeName(before, reading)))
      return span;
  }
  return null;
};
