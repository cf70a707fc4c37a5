import type { NameQuestion } from '../../../application/ports/name-model.js';
import { type InParts, runToEnd } from '../../../domain/kernel/in-parts.js';

/** White space as in ECMAScript, by character code; ten times as fast as a regular expression. */
const isSpace = new Uint8Array(0x10000);
for (const code of [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
  0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
])
  isSpace[code] = 1;

/** Counts the words that begin in a part of a text, without creating strings. */
const wordsIn = (text: string, from: number, to: number): number => {
  let words = 0;
  let before = from === 0 ? 1 : (isSpace[text.charCodeAt(from - 1)] ?? 0);
  for (let at = from; at < to; at += 1) {
    const space = isSpace[text.charCodeAt(at)] ?? 0;
    if (space < before) words += 1;
    before = space;
  }
  return words;
};

/** After this many characters the work yields. */
const charactersPerPart = 200_000;
/** The cost of an utterance besides its text, in characters. */
const utteranceOverhead = 20;

/** The number of words in a transcript, by which the embedded model is billed. Yields between parts. */
export function* wordCountInParts(transcript: NameQuestion['transcript']): InParts<number> {
  let [words, counted] = [0, 0];
  for (const { text } of transcript)
    for (let from = 0; from === 0 || from < text.length; from += charactersPerPart) {
      const to = Math.min(text.length, from + charactersPerPart);
      words += wordsIn(text, from, to);
      counted += to - from + utteranceOverhead;
      if (counted < charactersPerPart) continue;
      yield;
      counted = 0;
    }
  return words;
}

/** The same without yielding. */
export const wordCount = (transcript: NameQuestion['transcript']): number => runToEnd(wordCountInParts(transcript));
