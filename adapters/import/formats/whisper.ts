import * as t from 'io-ts';
import { type Spoken, type Tally, gluedBySpaces, withEnds, refuse } from '../format.js';
import { decodeDocument, has, hasAny, jsonFormat, listAt, listFormat, object } from '../json-format.js';
import { Milliseconds, Seconds } from '../times.js';

/** whisper-timestamped calls the word `text`. */
const Word = t.partial({ word: t.string, text: t.string, start: Seconds, end: Seconds, speaker: t.string });
const Words = t.readonlyArray(Word);
const Segment = object({ start: Seconds, text: t.string }, { end: Seconds, speaker: t.string, words: Words });
type Segment = Omit<t.TypeOf<typeof Segment>, 'end'> & { readonly end: number };
const WhisperX = t.partial(
  { segments: t.readonlyArray(Segment), text: t.string, words: Words, word_segments: Words },
  'WhisperX',
);

/** Words that could not be aligned (mostly numbers) have no time: they are placed between their neighbours. */
const wordsOf = (segment: Segment, place: string, notes: Tally): ReadonlyArray<Spoken> => {
  const { words: timed = [], speaker: heard = null, start, end, text } = segment;
  if (timed.length === 0) return [{ speaker: heard, start, end, text, place }];
  const list = place === '' ? 'words' : `${place}.words`;
  const textOf = ({ word, text: said }: t.TypeOf<typeof Word>, index: number): string =>
    word ?? said ?? refuse(`${list}[${index}].word`, 'is missing; it must be a string');
  // Whisper writes the space before a word, and none before the rest of a word; WhisperX writes none at all.
  const isSpaced = timed.some((word, index) => textOf(word, index).startsWith(' '));
  let last = { end: start, speaker: heard };
  return timed.map((word, index) => {
    const from = word.start ?? last.end;
    const said = textOf(word, index);
    const spoken: Spoken = {
      speaker: word.speaker ?? (word.start === undefined ? last.speaker : heard),
      start: from,
      end: word.end ?? from,
      text: said,
      glued: isSpaced && index > 0 && !said.startsWith(' '),
      place: list,
    };
    if (word.start === undefined || word.end === undefined)
      notes.add('word without a time: placed after the previous word');
    last = spoken;
    return spoken;
  });
};

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** OpenAI's words have no punctuation, but the text has. */
const asWritten = (words: t.TypeOf<typeof Words>, text: string): t.TypeOf<typeof Words> => {
  const written = text.trim().split(/\s+/);
  const areSame =
    written.length === words.length && words.every(({ word = '' }, index) => bare(word) === bare(written[index] ?? ''));
  return areSame ? words.map((word, index) => ({ ...word, word: written[index] ?? '' })) : words;
};

/** Fields of segments of other tools. */
const foreign = ['speaker_id', 'diarization', 'offsets', 'timestamp'];

/** Whether the list at this path has segments of Whisper. */
const hasSegments = (json: unknown, list: string): boolean =>
  has(json, `${list}.text`, `${list}.start`) && !hasAny(json, ...foreign.map((name) => `${list}.${name}`));

/**
 * WhisperX (m-bain/whisperX) with or without diarisation, plain Whisper's JSON, whisper-timestamped
 * (linto-ai/whisper-timestamped), and OpenAI's and Groq's `verbose_json` (platform.openai.com, "Create transcription"):
 * segments with words, words beside segments, words alone, or a list of segments; times in seconds. The speaker of a word
 * takes precedence over that of its segment.
 */
export const whisperx = jsonFormat({
  name: 'whisperx',
  recognises: (json) => {
    // A list has nothing around it that tells the tool: its segments have to have a field of Whisper's own.
    if (Array.isArray(json))
      return hasSegments(json, '[]') && hasAny(json, '[].seek', '[].avg_logprob', '[].no_speech_prob');
    if (listAt(json, 'segments').length > 0) return hasSegments(json, 'segments[]');
    const isEmpty = has(json, 'segments[]') && hasAny(json, 'language', 'word_segments');
    return isEmpty || has(json, 'text', 'words[].word', 'words[].start');
  },
  codec: t.unknown,
  read: (json, { notes }) => {
    const [path, document] = Array.isArray(json) ? ['', { segments: listAt(json) }] : ['segments', json];
    const { segments = [], text = '', words = [], word_segments = [] } = decodeDocument(WhisperX, document);
    const loose = words.length > 0 ? asWritten(words, text) : word_segments;
    return loose.length > 0 && segments.every((segment) => (segment.words ?? []).length === 0)
      ? { rows: loose.length, words: wordsOf({ start: 0, end: 0, text, words: loose }, '', notes) }
      : {
          rows: segments.length,
          words: withEnds(segments).flatMap((segment, index) => wordsOf(segment, `${path}[${index}]`, notes)),
        };
  },
});

const OptionalSeconds = t.union([t.undefined, Seconds]);
const Chunk = object({ text: t.string, timestamp: t.tuple([OptionalSeconds, OptionalSeconds]) }, { speaker: t.string });

/**
 * Whisper in Hugging Face's transformers, and insanely-fast-whisper, which repeats the chunks with their speakers: times
 * in seconds (github.com/Vaibhavs10/insanely-fast-whisper, `utils/result.py`).
 */
export const whisperChunks = jsonFormat({
  name: 'whisper_chunks',
  own: ['speakers[].timestamp[]', 'chunks[].timestamp[]'],
  codec: t.partial({ speakers: t.readonlyArray(Chunk), chunks: t.readonlyArray(Chunk) }),
  read: ({ speakers = [], chunks = [] }, { dropped }) => {
    const [path, list] = speakers.length > 0 ? ['speakers', speakers] : ['chunks', chunks];
    const isSpaced = list.some(({ text }) => text.startsWith(' '));
    const words = list.flatMap(({ text, speaker = null, timestamp: [start, end] }, index) => {
      const glued = isSpaced && !text.startsWith(' ');
      return start === undefined ? [] : [{ speaker, start, end, text, glued, place: `${path}[${index}]` }];
    });
    dropped.add('chunk without a time', list.length - words.length);
    const missing = 'no times of chunks: request them (return_timestamps)';
    return { rows: list.length, words: withEnds(words), missing };
  },
});

const token = { text: t.string, offsets: t.type({ from: Milliseconds, to: Milliseconds }) };
const Token = t.type(token);
const CppSegment = object(token, { speaker: t.string, tokens: t.readonlyArray(Token) });

/** `[_BEG_]`, `[_TT_150]` and the like are no words. */
const isMark = ({ text }: t.TypeOf<typeof Token>): boolean => /^\[_\w+\]$/.test(text);

/**
 * whisper.cpp's JSON, short and full: times in milliseconds (github.com/ggml-org/whisper.cpp, `examples/cli/cli.cpp`).
 * Tokens are parts of words, and may cut a character in two: then the segment is taken.
 */
export const whisperCpp = listFormat({
  name: 'whisper_cpp',
  list: 'transcription',
  own: ['transcription[].offsets.from'],
  element: CppSegment,
  pieces: 'words',
  read: (segment) => {
    const tokens = (segment.tokens ?? []).filter((token) => !isMark(token));
    const areWhole = tokens.length > 0 && tokens.map(({ text }) => text).join('') === segment.text;
    const speaker = segment.speaker === '?' ? null : (segment.speaker ?? null);
    return gluedBySpaces(areWhole ? tokens : [segment]).map(({ offsets: { from: start, to: end }, text, glued }) => {
      return { speaker, start, end, text, glued };
    });
  },
});
