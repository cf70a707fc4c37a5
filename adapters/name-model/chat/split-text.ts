import { characterTokens, estimateTokens } from './estimate-tokens.js';

const space = /\s/;
/** The share of a piece that is repeated in the next one. */
const overlapShare = 1 / 4;

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
    start = wordEnd(characters, half, end - Math.floor((end - start) * overlapShare));
  }
};
