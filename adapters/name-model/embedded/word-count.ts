import type { NameQuestion } from '../../../application/ports/name-model.js';

/** White space as in ECMAScript, by character code; ten times as fast as a regular expression. */
const isSpace = new Uint8Array(0x10000);
for (const code of [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
  0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
])
  isSpace[code] = 1;

/** Counts the words of a text without creating strings. */
const wordsIn = (text: string): number => {
  let words = 0;
  let before = 1;
  for (let at = 0; at < text.length; at += 1) {
    const space = isSpace[text.charCodeAt(at)] ?? 0;
    if (space < before) words += 1;
    before = space;
  }
  return words;
};

/** The number of words in a transcript, by which the embedded model is billed. */
export const wordCount = (transcript: NameQuestion['transcript']): number =>
  transcript.reduce((words, { text }) => words + wordsIn(text), 0);
