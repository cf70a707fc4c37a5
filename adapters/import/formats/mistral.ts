import * as t from 'io-ts';
import { Seconds, has, jsonFormat, labelText, listed, object } from '../json.js';

const Segment = object({ start: Seconds, end: Seconds, text: t.string }, { speaker_id: t.union([t.string, t.number]) });

/**
 * Mistral's Voxtral with diarisation: segments, or single words, by speaker, times in seconds (docs.mistral.ai, "Audio
 * transcriptions"). Without speakers it has Whisper's form, and is read as that.
 */
export const mistral = jsonFormat({
  name: 'mistral',
  recognises: (json) => has(json, 'segments[].speaker_id'),
  codec: t.type({ segments: t.readonlyArray(Segment) }),
  read: ({ segments }) => ({
    rows: segments.length,
    words: listed('segments', segments, ({ speaker_id, start, end, text }, place) => {
      return { speaker: labelText(speaker_id), start, end, text, place };
    }),
  }),
});
