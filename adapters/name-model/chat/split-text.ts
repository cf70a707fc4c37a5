import { characterTokens, estimateTokens } from './estimate-tokens.js';

const space = /\s/;
const shared = 1 / 4;

/** The furthest end from a start within so many tokens. */
const reach = (tokens: ReadonlyArray<number>, start: number, most: number): number => {
  let sum = 0;
  for (let end = start; end < tokens.length; end += 1) {
    sum += tokens[end] ?? 0;
    if (sum > most && end > start) return end;
  }
  return tokens.length;
};

/** The last place between two words after `from` and up to `to`; `to` itself where there is none. */
const wordEnd = (characters: ReadonlyArray<string>, from: number, to: number): number => {
  for (let end = to; end > from; end -= 1) if (space.test(characters[end] ?? ' ')) return end;
  return to;
};

/**
 * A text in pieces of at most so many tokens, cut between words where it has any. The end of a piece opens the next, so
 * that words which belong together are together in one of them.
 */
export const splitText = (text: string, most: number): ReadonlyArray<string> => {
  if (estimateTokens(text) <= most) return [text];
  const characters = Array.from(text);
  const tokens = characters.map(characterTokens);
  const pieces: Array<string> = [];
  let start = 0;
  for (;;) {
    const furthest = reach(tokens, start, most);
    const end = wordEnd(characters, start + Math.ceil((furthest - start) / 2), furthest);
    pieces.push(characters.slice(start, end).join(''));
    if (end >= characters.length) return pieces;
    const half = start + Math.ceil((end - start) / 2);
    start = wordEnd(characters, half, end - Math.floor((end - start) * shared));
  }
};
