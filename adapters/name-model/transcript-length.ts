import type { Lane } from '../runtime/threads.js';

type Transcript = ReadonlyArray<{ readonly text: string }>;

/** The characters of a transcript. */
export const lengthOf = (transcript: Transcript): number =>
  transcript.reduce((length, { text }) => length + text.length, 0);

const maxShort = 1_000_000;

/** The thread for work on a transcript: a long one needs so much memory that its thread has to end afterwards. */
export const laneOf = (transcript: Transcript): Lane => (lengthOf(transcript) > maxShort ? 'long transcript' : 'short');

/** The number of words in a transcript, by which the embedded model is billed. */
export const wordCount = (transcript: Transcript): number =>
  transcript.reduce((words, { text }) => words + (text.match(/\S+/g)?.length ?? 0), 0);
