import * as t from 'io-ts';
import { Milliseconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, listAt, valueAt } from '../json.js';
import type { Spoken } from '../speech-parts.js';

const Token = t.type({ text: t.string, offsets: t.type({ from: Milliseconds, to: Milliseconds }) });
const Segment = t.intersection([Token, t.partial({ speaker: t.string, tokens: t.readonlyArray(Token) })]);
const WhisperCpp = t.type({ transcription: t.readonlyArray(Segment) });

/** `[_BEG_]`, `[_TT_150]` and the like are no words. */
const isMark = ({ text }: t.TypeOf<typeof Token>): boolean => /^\[_\w+\]$/.test(text);

/** Tokens are parts of words, and may cut a character in two: then the segment is taken. */
const spokenOf = (segment: t.TypeOf<typeof Segment>, place: string): ReadonlyArray<Spoken> => {
  const tokens = (segment.tokens ?? []).filter((token) => !isMark(token));
  const areWhole = tokens.length > 0 && tokens.map(({ text }) => text).join('') === segment.text;
  return (areWhole ? tokens : [segment]).map(({ text, offsets }, index) => ({
    speaker: segment.speaker === '?' ? null : (segment.speaker ?? null),
    start: offsets.from,
    end: offsets.to,
    text,
    glued: index > 0 && !text.startsWith(' '),
    place,
  }));
};

/** whisper.cpp's JSON, short and full: times in milliseconds (github.com/ggml-org/whisper.cpp, `examples/cli/cli.cpp`). */
export const whisperCpp: JsonFormat = {
  name: 'whisper_cpp',
  reads: 'json',
  recognises: (json) =>
    listAt(json, 'transcription').some((segment) => valueAt(segment, 'offsets', 'from') !== undefined),
  read: (json) => {
    const { transcription } = decodeDocument(WhisperCpp, json);
    const spoken = transcription.flatMap((segment, index) => spokenOf(segment, `transcription[${index}]`));
    return { rows: transcription.length, speech: { grain: 'word', spoken } };
  },
};
