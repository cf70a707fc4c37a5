import type { Utterance } from '../../domain/audio/events.js';

/**
 * A transcript as it is posted to another thread: one string and one array of numbers, because copying a hundred thousand
 * objects would block the event loop.
 */
export interface PackedTranscript {
  readonly text: string;
  /** For each utterance: speaker, start, end, and the length of its text. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

const fields = 4;

/** Whether processing needs so much memory that the thread has to end afterwards. */
export const needsLargeHeap = ({ transcript: { text } }: { readonly transcript: PackedTranscript }): boolean =>
  text.length > 1_000_000;

export const packTranscript = (transcript: ReadonlyArray<Utterance>): PackedTranscript => {
  const numbers = new Float64Array(fields * transcript.length);
  for (const [index, { speaker_id, start, end, text }] of transcript.entries())
    numbers.set([speaker_id, start, end, text.length], fields * index);
  return { text: transcript.map(({ text }) => text).join(''), numbers };
};

/** The inverse of `packTranscript`. Utterances of invalid speakers are dropped. */
export const unpackTranscript = <Id extends number>(
  { text, numbers }: PackedTranscript,
  isSpeaker: (id: number) => id is Id,
): ReadonlyArray<{ readonly speaker_id: Id; readonly start: number; readonly end: number; readonly text: string }> => {
  let place = 0;
  return Array.from({ length: numbers.length / fields }, (_, index) => index * fields).flatMap((at) => {
    const [speaker_id = 0, start = 0, end = 0, length = 0] = numbers.subarray(at, at + fields);
    const part = text.slice(place, place + length);
    place += length;
    return isSpeaker(speaker_id) ? [{ speaker_id, start, end, text: part }] : [];
  });
};
