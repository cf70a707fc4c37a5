import type { Utterance } from '../../../domain/audio/speech.js';
import type { InParts } from '../../../domain/kernel/in-parts.js';
import { estimateTokens } from './estimate-tokens.js';
import { splitText } from './split-text.js';

/** An utterance, or a piece of one, as the model reads it. */
export interface Line {
  readonly index: number;
  readonly speaker_id: number;
  readonly text: string;
}

interface Measured {
  readonly line: Line;
  readonly tokens: number;
}

/** An utterance may take this share of a chunk before it is cut in pieces. */
const longest = 1 / 4;
/** So much of a chunk's end opens the next one, and one line at least: an answer stands beside its question. */
const overlap = 1 / 8;
/** What a line costs besides its text. */
const frame = 32;

/** So many characters are measured in one part. */
const inOnePart = 100_000;

function* measure(transcript: ReadonlyArray<Utterance>, room: number): InParts<ReadonlyArray<Measured>> {
  const lines: Measured[] = [];
  let looked = 0;
  for (const [index, { speaker_id, text }] of transcript.entries()) {
    for (const piece of splitText(text, room * longest - frame))
      lines.push({ line: { index, speaker_id, text: piece }, tokens: frame + estimateTokens(piece) });
    looked += text.length + frame;
    if (looked < inOnePart) continue;
    yield;
    looked = 0;
  }
  return lines;
}

const overlapStart = (lines: ReadonlyArray<Measured>, end: number, most: number): number => {
  let tokens = lines[end - 1]?.tokens ?? 0;
  for (let start = end - 1; start > 0; start -= 1) {
    tokens += lines[start - 1]?.tokens ?? 0;
    if (tokens > most) return start;
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

/** The transcript in overlapping chunks of at most so many tokens; one chunk when it fits. */
export function* chunkTranscript(
  transcript: ReadonlyArray<Utterance>,
  room: number,
): InParts<ReadonlyArray<ReadonlyArray<Line>>> {
  const lines = yield* measure(transcript, room);
  const chunks: Array<ReadonlyArray<Line>> = [];
  let start = 0;
  for (;;) {
    const end = chunkEnd(lines, start, room);
    chunks.push(lines.slice(start, end).map(({ line }) => line));
    if (end === lines.length) return chunks;
    start = overlapStart(lines, end, room * overlap);
  }
}
