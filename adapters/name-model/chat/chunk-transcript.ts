import type { Utterance } from '../../../domain/audio/speech.js';
import { estimateTokens } from './estimate-tokens.js';
import { splitText } from './split-text.js';

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
