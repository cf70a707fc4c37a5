import type { NameQuestion } from '../../../application/ports/name-model.js';

const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code > 0x7f && /\s/.test(String.fromCharCode(code)));

/** Counted in place: a list of the words of a long transcript would take more memory than it. */
const wordsIn = (text: string): number => {
  let words = 0;
  let isWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const space = isSpace(text.charCodeAt(at));
    if (!space && !isWord) words += 1;
    isWord = !space;
  }
  return words;
};

/** The words of a transcript: what the embedded model bills by. */
export const wordCount = (transcript: NameQuestion['transcript']): number =>
  transcript.reduce((words, { text }) => words + wordsIn(text), 0);
