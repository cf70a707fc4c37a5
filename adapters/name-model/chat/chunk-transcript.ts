import type { Utterance } from '../../../domain/audio/events.js';

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
export const characterTokens = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return ascii[code] ?? 1;
  if (escaped.test(character)) return 6;
  if (code < 0x8_00) return 1;
  return code < 0x1_00_00 ? 2 : 3;
};

/** A high estimate of the tokens of a text, without the tokeniser of the model. */
export const estimateTokens = (text: string): number => {
  let tokens = 0;
  for (const character of text) tokens += characterTokens(character);
  return Math.ceil(tokens);
};

const space = /\s/;
/** The share of a piece that is repeated in the next one. */
const pieceOverlap = 1 / 4;

/** The last end from `start` within `maxTokens`, at least one character later. */
const reach = (tokens: ReadonlyArray<number>, start: number, maxTokens: number): number => {
  let sum = 0;
  for (let end = start; end < tokens.length; end += 1) {
    sum += tokens[end] ?? 0;
    if (sum > maxTokens && end > start) return end;
  }
  return tokens.length;
};

/** The last word boundary after `from` and up to `to`; `to` if there is none. */
const wordEnd = (characters: ReadonlyArray<string>, from: number, to: number): number => {
  for (let end = to; end > from; end -= 1) if (space.test(characters[end] ?? ' ')) return end;
  return to;
};

/**
 * Splits a text into overlapping pieces of at most `maxTokens`, between words if possible. They overlap so that words which
 * belong together are together in one of them.
 */
export const splitText = (text: string, maxTokens: number): ReadonlyArray<string> => {
  if (estimateTokens(text) <= maxTokens) return [text];
  const characters = Array.from(text);
  const tokens = characters.map(characterTokens);
  const pieces: Array<string> = [];
  let start = 0;
  for (;;) {
    const furthest = reach(tokens, start, maxTokens);
    const end = wordEnd(characters, start + Math.ceil((furthest - start) / 2), furthest);
    pieces.push(characters.slice(start, end).join(''));
    if (end >= characters.length) return pieces;
    const half = start + Math.ceil((end - start) / 2);
    start = wordEnd(characters, half, end - Math.floor((end - start) * pieceOverlap));
  }
};

/** An utterance, or a piece of one, as it is sent to the model. */
export interface Line {
  readonly index: number;
  readonly speaker_id: number;
  readonly text: string;
}

interface Measured {
  readonly line: Line;
  readonly tokens: number;
}

/** An utterance is split if it takes more than this share of a chunk. */
const maxUtteranceShare = 1 / 4;
/** The share of a chunk that is repeated in the next one, at least one line, so that answers are next to their questions. */
const overlapShare = 1 / 8;
/** The tokens of a line besides its text. */
const lineOverhead = 32;

const measure = (transcript: ReadonlyArray<Utterance>, room: number): ReadonlyArray<Measured> => {
  const lines: Measured[] = [];
  for (const [index, { speaker_id, text }] of transcript.entries()) {
    for (const piece of splitText(text, room * maxUtteranceShare - lineOverhead))
      lines.push({ line: { index, speaker_id, text: piece }, tokens: lineOverhead + estimateTokens(piece) });
  }
  return lines;
};

const overlapStart = (lines: ReadonlyArray<Measured>, end: number, maxTokens: number): number => {
  let tokens = lines[end - 1]?.tokens ?? 0;
  for (let start = end - 1; start > 0; start -= 1) {
    tokens += lines[start - 1]?.tokens ?? 0;
    if (tokens > maxTokens) return start;
  }
  return 0;
};

const chunkEnd = (lines: ReadonlyArray<Measured>, start: number, room: number): number => {
  let tokens = 0;
  for (let end = start; end < lines.length; end += 1) {
    tokens += lines[end]?.tokens ?? 0;
    if (tokens > room) return end;
  }
  return lines.length;
};

/** Splits a transcript into overlapping chunks of at most `room` tokens; one chunk if it fits. */
export const chunkTranscript = (
  transcript: ReadonlyArray<Utterance>,
  room: number,
): ReadonlyArray<ReadonlyArray<Line>> => {
  const lines = measure(transcript, room);
  const chunks: Array<ReadonlyArray<Line>> = [];
  let start = 0;
  for (;;) {
    const end = chunkEnd(lines, start, room);
    chunks.push(lines.slice(start, end).map(({ line }) => line));
    if (end === lines.length) return chunks;
    start = overlapStart(lines, end, room * overlapShare);
  }
};
