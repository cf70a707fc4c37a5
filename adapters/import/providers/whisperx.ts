import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { Seconds } from '../times.js';

const Word = t.intersection([
  t.type({ word: t.string }),
  t.partial({ start: Seconds, end: Seconds, speaker: t.string }),
]);
const Segment = t.intersection([
  t.type({ start: Seconds, end: Seconds, text: t.string }),
  t.partial({ speaker: t.string, words: t.readonlyArray(Word) }),
]);
const WhisperX = t.type({ segments: t.readonlyArray(Segment) }, 'WhisperX');
type Segment = t.TypeOf<typeof Segment>;

/** Words that could not be aligned (mostly numbers) have no time: they are placed between their neighbours. */
const wordsOf = (segment: Segment, place: string, notes: Tally): ReadonlyArray<Spoken> => {
  const { words = [], speaker: heard = null, start, end, text } = segment;
  if (words.length === 0) return [{ speaker: heard, start, end, text, place }];
  let last = { end: start, speaker: heard };
  return words.map((word, index) => {
    const from = word.start ?? last.end;
    const spoken: Spoken = {
      speaker: word.speaker ?? (word.start === undefined ? last.speaker : heard),
      start: from,
      end: word.end ?? from,
      text: word.word,
      place: `${place}.words[${index}]`,
    };
    if (word.start === undefined || word.end === undefined)
      notes.add('word without a time: placed after the previous word');
    last = spoken;
    return spoken;
  });
};

/**
 * WhisperX (m-bain/whisperX) with or without diarisation, and plain Whisper's JSON: segments with words, times in
 * seconds. The speaker of a word takes precedence over that of its segment.
 */
export const whisperx = jsonFormat(
  (json) => {
    const first = valueAt(json, 'segments', 0);
    return (
      Array.isArray(valueAt(json, 'segments')) &&
      (valueAt(json, 'word_segments') !== undefined ||
        valueAt(json, 'language') !== undefined ||
        (valueAt(first, 'text') !== undefined && valueAt(first, 'start') !== undefined))
    );
  },
  WhisperX,
  ({ segments }) => {
    const notes = new Tally();
    const spoken = segments.flatMap((segment, index) => wordsOf(segment, `segments[${index}]`, notes));
    return E.right({ rows: segments.length, speech: { grain: 'word', spoken }, notes });
  },
);
