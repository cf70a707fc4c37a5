import type { Utterance } from '../../../domain/audio/speech.js';
import { foldedWords } from '../../../domain/grounding/folded-words.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { initial, particles, titles } from './vocabulary.js';

/** A word of a turn, and where its utterance has it. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly utterance: number;
  readonly start: number;
  readonly end: number;
  /** Whether a sentence, or the utterance, ends after it. */
  readonly ends: boolean;
  /** Whether the word is broken off, to be said again. */
  readonly broken: boolean;
  /** Whether anything but blanks stands between it and the next word. */
  readonly stops: boolean;
}

/** All that one speaker says until another does. */
export interface Turn {
  readonly speaker: SpeakerId;
  readonly tokens: readonly Token[];
  /** The words in lower case, each followed by one blank, and where each begins. */
  readonly joined: string;
  readonly offsets: readonly number[];
}

const word = /(?:\p{Lu}\.){2,}|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’\-‑&][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;

/** Sounds between words, which are none. */
const hesitation = /^(?:u+h+|u+m+|e+r+m*|h+m+)$/iu;

/** How a word begins that is begun twice: "R-Rebecca". */
const stutter = /^(\p{L}{1,3})[-‑](?=\1\p{L})/iu;

/** How many characters of a word are said to no end; "Al-Ali" is no stutter. */
const stuttered = (raw: string): number => {
  const [all = '', begun = ''] = raw.includes('-') || raw.includes('‑') ? (stutter.exec(raw) ?? []) : [];
  return particles.has(begun.toLowerCase()) ? 0 : all.length;
};

const tokensOf = (text: string, utterance: number): readonly Token[] => {
  const found = Array.from(text.matchAll(word), ({ 0: raw, index }) => {
    const before = stuttered(raw);
    return { raw: raw.slice(before), index: index + before };
  }).filter(({ raw }) => !hesitation.test(raw));
  return found.map(({ raw, index }, at) => {
    const [lower, end] = [raw.toLowerCase().replace(/’/g, "'"), index + raw.length];
    const gap = text.slice(end, found[at + 1]?.index ?? text.length);
    // A title glued to what follows is a slip of the transcript, and no word of its own to trust.
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

/** The turns of a transcript; utterances without words interrupt none. */
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

/** The words just before a token, up to so many characters. */
export const wordsBefore = ({ joined, offsets }: Turn, at: number, most = 60): string => {
  const end = offsets[at] ?? joined.length;
  return joined.slice(Math.max(0, end - most), end);
};

/** The first token that begins at or after a place in the joined words. */
export const tokenAt = ({ offsets }: Turn, place: number): number => {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? Infinity) < place) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Whether the transcript is written with capitals where they belong, so that they tell names. */
export const isCased = (turns: readonly Turn[]): boolean => {
  const tokens = turns.flatMap((turn) => turn.tokens);
  const capitals = tokens.filter(({ text }) => /^\p{Lu}/u.test(text)).length;
  return capitals > tokens.length * 0.03 && capitals < tokens.length * 0.7;
};
