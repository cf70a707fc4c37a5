import type { Utterance } from '../../../domain/audio/events.js';
import { countFitting } from '../../runtime/memory.js';

const letterOrSpace = /[A-Za-z ]/;
const escapedInTwo = /["\\\n\r\t]/;
/** Written as `\\uXXXX` in the prompt. */
const escaped = /[<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (escapedInTwo.test(character)) return 2;
  if (escaped.test(character)) return 6;
  return letterOrSpace.test(character) ? 0.4 : 1;
});

/**
 * A high estimate of the tokens for one character, because tokenisers differ: 2.5 letters a token (English text has 4 or
 * more), one token for each digit and punctuation mark, and the number of UTF-8 bytes minus one for other characters.
 */
const characterTokens = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ascii[code] ?? 1;
  if (escaped.test(character)) return 6;
  if (code < 0x8_00) return 1;
  return code < 0x1_00_00 ? 2 : 3;
};

const tokensOf = (text: string): number => {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return tokens;
};

/** A high estimate of the tokens of a text, without the tokeniser of the model. */
export const estimateTokens = (text: string): number => Math.ceil(tokensOf(text));

interface Measured {
  readonly tokens: number;
}

/**
 * Splits items into groups of at most so many tokens. A group begins with the last items of the one before, up to a share
 * of the tokens and at least one. No item may have more than a quarter of the tokens.
 */
const overlappingGroups = <Item extends Measured>(
  items: ReadonlyArray<Item>,
  maxTokens: number,
  overlapShare: number,
): ReadonlyArray<ReadonlyArray<Item>> => {
  const groups: Array<ReadonlyArray<Item>> = [];
  const tokens = items.map((item) => item.tokens);
  for (let start = 0; ;) {
    const end = start + countFitting(tokens.slice(start), maxTokens);
    groups.push(items.slice(start, end));
    if (end === items.length) return groups;
    start = end - countFitting(tokens.slice(start, end).toReversed(), maxTokens * overlapShare);
  }
};

/** An utterance, or a piece of one, as it is sent to the model. */
export interface Line {
  readonly index: number;
  readonly speaker_id: number;
  readonly text: string;
}

interface MeasuredLine extends Measured {
  readonly line: Line;
}

/** A word or an utterance is split if it takes more than this share of a piece or a chunk. */
const maxItemShare = 1 / 4;
/** The share of a chunk that is repeated in the next one, at least one line, so that answers are next to their questions. */
const overlapShare = 1 / 8;
/** The tokens of a line besides its text. */
const lineOverhead = 32;

/** The words of a text, each with the space before it; long ones are divided into characters. */
const wordsOf = (text: string, maxTokens: number): ReadonlyArray<string> =>
  (text.match(/\s*\S+|\s+$/gu) ?? []).flatMap((word) => (tokensOf(word) <= maxTokens ? [word] : Array.from(word)));

/** The share of a piece that is repeated in the next one, so that words which belong together are together in one of them. */
const pieceOverlap = 1 / 4;

/** Splits a text into overlapping pieces of at most `maxTokens`, between words if possible. */
export const splitText = (text: string, maxTokens: number): ReadonlyArray<string> => {
  if (estimateTokens(text) <= maxTokens) return [text];
  const words = wordsOf(text, maxTokens * maxItemShare).map((word) => ({ word, tokens: tokensOf(word) }));
  return overlappingGroups(words, maxTokens, pieceOverlap).map((piece) => piece.map(({ word }) => word).join(''));
};

const measure = (transcript: ReadonlyArray<Utterance>, room: number): ReadonlyArray<MeasuredLine> => {
  const lines: MeasuredLine[] = [];
  for (const [index, { speaker_id, text }] of transcript.entries()) {
    for (const piece of splitText(text, room * maxItemShare - lineOverhead))
      lines.push({ line: { index, speaker_id, text: piece }, tokens: lineOverhead + estimateTokens(piece) });
  }
  return lines;
};

/** Splits a transcript into overlapping chunks of at most `room` tokens; one chunk if it fits. */
export const chunkTranscript = (
  transcript: ReadonlyArray<Utterance>,
  room: number,
): ReadonlyArray<ReadonlyArray<Line>> =>
  overlappingGroups(measure(transcript, room), room, overlapShare).map((chunk) => chunk.map(({ line }) => line));
