import type { NameQuestion } from '../../../application/ports/name-model.js';

/** The words of a transcript: what the embedded model bills by. */
export const wordCount = (transcript: NameQuestion['transcript']): number =>
  transcript.reduce((words, { text }) => words + (text.match(/\S+/g)?.length ?? 0), 0);
