import * as t from 'io-ts';
import { Seconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, listAt, valueAt } from '../json.js';
import { withEnds } from '../speech-parts.js';
import { Tally } from '../tally.js';

const OptionalSeconds = t.union([t.undefined, Seconds]);
const Chunk = t.intersection([
  t.type({ text: t.string, timestamp: t.tuple([OptionalSeconds, OptionalSeconds]) }),
  t.partial({ speaker: t.string }),
]);
const Chunks = t.partial({ speakers: t.readonlyArray(Chunk), chunks: t.readonlyArray(Chunk) });

/**
 * Whisper in Hugging Face's transformers, and insanely-fast-whisper, which repeats the chunks with their speakers: times
 * in seconds (github.com/Vaibhavs10/insanely-fast-whisper, `utils/result.py`).
 */
export const whisperChunks: JsonFormat = {
  name: 'whisper_chunks',
  reads: 'json',
  recognises: (json) =>
    ['speakers', 'chunks'].some((list) =>
      listAt(json, list).some((chunk) => Array.isArray(valueAt(chunk, 'timestamp'))),
    ),
  read: (json) => {
    const { speakers = [], chunks = [] } = decodeDocument(Chunks, json);
    const [path, list] = speakers.length > 0 ? ['speakers', speakers] : ['chunks', chunks];
    const isSpaced = list.some(({ text }) => text.startsWith(' '));
    const pieces = list.flatMap(({ text, speaker = null, timestamp: [start, end] }, index) =>
      start === undefined
        ? []
        : [{ speaker, start, end, text, glued: isSpaced && !text.startsWith(' '), place: `${path}[${index}]` }],
    );
    const dropped = new Tally();
    dropped.add('chunk without a time', list.length - pieces.length);
    const missing = 'no times of chunks: request them (return_timestamps)';
    return { rows: list.length, speech: { grain: 'word', spoken: withEnds(pieces), missing }, dropped };
  },
};
