import type { Utterance } from '../../../domain/audio/events.js';
import { foldedWords } from '../../../domain/grounding/folded-words.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { initial, particles, titles, firms, firmWords, offices, ordinary, type Reading } from './reading.js';

/** A word of a turn and its place in the utterance. */
interface Token {
  readonly text: string;
  readonly lower: string;
  readonly utterance: number;
  readonly start: number;
  readonly end: number;
  /** Whether a sentence or the utterance ends after it. */
  readonly ends: boolean;
  /** Whether the speaker broke the word off. */
  readonly broken: boolean;
  /** Whether punctuation follows, or the utterance ends. */
  readonly stops: boolean;
}

/** What one speaker says until another one speaks. */
export interface Turn {
  readonly speaker: SpeakerId;
  readonly tokens: readonly Token[];
  /** The words in lower case, each followed by one space. `offsets`: where each word begins in it. */
  readonly joined: string;
  readonly offsets: readonly number[];
}

const word = /(?:\p{Lu}\.){2,}|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’\-‑&][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;

/** Hesitation sounds, which are not words. */
const hesitation = /^(?:u+h+|u+m+|e+r+m*|h+m+)$/iu;

/** A stutter at the start of a word: "R-Rebecca". */
const stutter = /^(\p{L}{1,3})[-‑](?=\1\p{L})/iu;

/** The length of the stutter at the start of a word; "Al-Ali" is not a stutter. */
const stutterLength = (raw: string): number => {
  const [all = '', begun = ''] = raw.includes('-') || raw.includes('‑') ? (stutter.exec(raw) ?? []) : [];
  return particles.has(begun.toLowerCase()) ? 0 : all.length;
};

const tokensOf = (text: string, utterance: number): readonly Token[] => {
  const found = Array.from(text.matchAll(word), ({ 0: raw, index }) => {
    const before = stutterLength(raw);
    return { raw: raw.slice(before), index: index + before };
  }).filter(({ raw }) => !hesitation.test(raw));
  return found.map(({ raw, index }, at) => {
    const [lower, end] = [raw.toLowerCase().replace(/’/g, "'"), index + raw.length];
    const gap = text.slice(end, found[at + 1]?.index ?? text.length);
    // The full stop of an abbreviated title or initial does not end a sentence.
    const abbreviated = /^\.\s+$/.test(gap) && (titles.has(lower) || initial.test(raw));
    const last = at === found.length - 1;
    return {
      text: raw,
      lower,
      utterance,
      start: index,
      end,
      ends: last || (!abbreviated && /[.?!…:;—<>[\]]/.test(gap)),
      broken: /^[-‑–]\s/.test(gap),
      stops: last || (!abbreviated && gap.trim() !== ''),
    };
  });
};

const turnOf = (speaker: SpeakerId, tokens: readonly Token[]): Turn => {
  const offsets: number[] = [];
  let joined = '';
  for (const { lower } of tokens) {
    offsets.push(joined.length);
    joined += `${lower} `;
  }
  return { speaker, tokens, joined, offsets };
};

/** The turns of a transcript. Utterances without words do not interrupt a turn. */
export const turnsOf = (transcript: readonly Utterance[]): readonly Turn[] => {
  const turns: { speaker: SpeakerId; tokens: Token[] }[] = [];
  transcript.forEach(({ speaker_id, text }, index) => {
    if (foldedWords(text).length === 0) return;
    const tokens = tokensOf(text, index);
    const current = turns.at(-1);
    if (current?.speaker === speaker_id) current.tokens.push(...tokens);
    else turns.push({ speaker: speaker_id, tokens: [...tokens] });
  });
  return turns.map(({ speaker, tokens }) => turnOf(speaker, tokens));
};

/** The text before a token, at most `maxLength` characters. */
export const wordsBefore = ({ joined, offsets }: Turn, at: number, maxLength = 60): string => {
  const end = offsets[at] ?? joined.length;
  return joined.slice(Math.max(0, end - maxLength), end);
};

/** The first token that begins at or after a position in `joined`. */
export const tokenAt = ({ offsets }: Turn, place: number): number => {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? Infinity) < place) low = middle + 1;
    else high = middle;
  }
  return low;
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
