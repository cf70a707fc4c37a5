import type { Utterance } from '../../../domain/audio/events.js';

const letterOrSpace = /[A-Za-z ]/;
const escapedInTwo = /["\\\n\r\t]/;
/** Written as `\\uXXXX` in the prompt. */
const escaped = /[<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Estimates are summed in fifths of a token: as whole numbers, in whatever groups, they make the same sum. */
const fifths = 5;

const ascii = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (escapedInTwo.test(character)) return 2 * fifths;
  if (escaped.test(character)) return 6 * fifths;
  return letterOrSpace.test(character) ? 2 : fifths;
});

/**
 * A high estimate of the fifths of tokens for one character, because tokenisers differ: 2.5 letters a token (English text
 * has 4 or more), one token for each digit and punctuation mark, and the number of UTF-8 bytes minus one for other
 * characters.
 */
const characterSize = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ascii[code] ?? fifths;
  if (escaped.test(character)) return 6 * fifths;
  if (code < 0x8_00) return fifths;
  return (code < 0x1_00_00 ? 2 : 3) * fifths;
};

const sizeOf = (text: string): number => {
  let size = 0;
  for (const character of text) size += characterSize(character);
  return size;
};

/** A high estimate of the tokens of a text, without the tokeniser of the model. */
export const estimateTokens = (text: string): number => Math.ceil(sizeOf(text) / fifths);

interface Measured {
  readonly size: number;
}

/**
 * Splits items into groups of at most so much size. A group begins with the last items of the one before, up to a share
 * of the size and at least one. No item may have more than a quarter of the size.
 */
const overlappingGroups = <Item extends Measured>(
  items: ReadonlyArray<Item>,
  maxSize: number,
  overlapShare: number,
): ReadonlyArray<ReadonlyArray<Item>> => {
  /** How many items fit, from the first one on in a direction; at least one. */
  const countFitting = (first: number, direction: 1 | -1, room: number): number => {
    let [count, size] = [0, 0];
    for (let item = items[first]; item !== undefined; item = items[first + direction * count]) {
      size += item.size;
      if (size > room && count > 0) break;
      count += 1;
    }
    return count;
  };
  const groups: Array<ReadonlyArray<Item>> = [];
  for (let start = 0; ;) {
    const end = start + countFitting(start, 1, maxSize);
    groups.push(items.slice(start, end));
    if (end === items.length) return groups;
    start = end - countFitting(end - 1, -1, maxSize * overlapShare);
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
const wordsOf = (text: string, maxSize: number): ReadonlyArray<string> =>
  (text.match(/\s*\S+|\s+$/gu) ?? []).flatMap((word) => (sizeOf(word) <= maxSize ? [word] : Array.from(word)));

/** The share of a piece that is repeated in the next one, so that words which belong together are together in one of them. */
const pieceOverlap = 1 / 4;

/** Splits a text into overlapping pieces of at most `maxTokens`, between words if possible. */
export const splitText = (text: string, maxTokens: number): ReadonlyArray<string> => {
  if (estimateTokens(text) <= maxTokens) return [text];
  const maxSize = maxTokens * fifths;
  const words = wordsOf(text, maxSize * maxItemShare).map((word) => ({ word, size: sizeOf(word) }));
  return overlappingGroups(words, maxSize, pieceOverlap).map((piece) => piece.map(({ word }) => word).join(''));
};

const measure = (transcript: ReadonlyArray<Utterance>, room: number): ReadonlyArray<MeasuredLine> => {
  const lines: MeasuredLine[] = [];
  for (const [index, { speaker_id, text }] of transcript.entries()) {
    for (const piece of splitText(text, room * maxItemShare - lineOverhead))
      lines.push({ line: { index, speaker_id, text: piece }, size: lineOverhead + estimateTokens(piece) });
  }
  return lines;
};

/** Splits a transcript into overlapping chunks of at most `room` tokens; one chunk if it fits. */
export const chunkTranscript = (
  transcript: ReadonlyArray<Utterance>,
  room: number,
): ReadonlyArray<ReadonlyArray<Line>> =>
  overlappingGroups(measure(transcript, room), room, overlapShare).map((chunk) => chunk.map(({ line }) => line));
