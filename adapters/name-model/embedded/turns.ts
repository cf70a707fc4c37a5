import type { Utterance } from '../../../domain/audio/events.js';
import { foldedWords } from '../../../domain/grounding/folded-words.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { initial, particles, titles } from './vocabulary.js';

/** A word of a turn and its place in the utterance. */
export interface Token {
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
