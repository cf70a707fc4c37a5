import * as t from 'io-ts';
import { Seconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, listAt, valueAt } from '../json.js';
import { type Spoken, withEnds } from '../speech-parts.js';
import { Tally } from '../tally.js';

const Word = t.intersection([
  t.type({ word: t.string }),
  t.partial({ start: Seconds, end: Seconds, speaker: t.string }),
]);
const Segment = t.intersection([
  t.type({ start: Seconds, text: t.string }),
  t.partial({ end: Seconds, speaker: t.string, words: t.readonlyArray(Word) }),
]);
type Segment = t.TypeOf<typeof Segment> & { readonly end: number };
const WhisperX = t.type({ segments: t.readonlyArray(Segment) }, 'WhisperX');

/** Words that could not be aligned (mostly numbers) have no time: they are placed between their neighbours. */
const wordsOf = (segment: Segment, place: string, notes: Tally): ReadonlyArray<Spoken> => {
  const { words = [], speaker: heard = null, start, end, text } = segment;
  if (words.length === 0) return [{ speaker: heard, start, end, text, place }];
  // Whisper writes the space before a word, and none before the rest of a word; WhisperX writes none at all.
  const isSpaced = words.some(({ word }) => word.startsWith(' '));
  let last = { end: start, speaker: heard };
  return words.map((word, index) => {
    const from = word.start ?? last.end;
    const spoken: Spoken = {
      speaker: word.speaker ?? (word.start === undefined ? last.speaker : heard),
      start: from,
      end: word.end ?? from,
      text: word.word,
      glued: isSpaced && index > 0 && !word.word.startsWith(' '),
      place: `${place}.words[${index}]`,
    };
    if (word.start === undefined || word.end === undefined)
      notes.add('word without a time: placed after the previous word');
    last = spoken;
    return spoken;
  });
};

/** Fields of segments of other tools. */
const foreign = ['speaker_id', 'diarization', 'offsets', 'timestamp'];

const isSegment = (segment: unknown): boolean =>
  ['text', 'start'].every((name) => valueAt(segment, name) !== undefined) &&
  foreign.every((name) => valueAt(segment, name) === undefined);

/**
 * WhisperX (m-bain/whisperX) with or without diarisation, and plain Whisper's JSON: segments with words, times in
 * seconds. The speaker of a word takes precedence over that of its segment.
 */
export const whisperx: JsonFormat = {
  name: 'whisperx',
  reads: 'json',
  recognises: (json) => {
    const segments = listAt(json, 'segments');
    if (segments.length > 0)
      return (
        segments.some(isSegment) && !segments.some((one) => foreign.some((name) => valueAt(one, name) !== undefined))
      );
    return (
      Array.isArray(valueAt(json, 'segments')) &&
      ['language', 'word_segments'].some((name) => valueAt(json, name) !== undefined)
    );
  },
  read: (json) => {
    const { segments } = decodeDocument(WhisperX, json);
    const notes = new Tally();
    const spoken = withEnds(segments).flatMap((segment, index) => wordsOf(segment, `segments[${index}]`, notes));
    return { rows: segments.length, speech: { grain: 'word', spoken }, notes };
  },
};
