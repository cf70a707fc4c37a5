import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, valueAt } from '../json.js';
import type { JsonFormat } from '../format.js';

const Segment = t.intersection([
  t.type({ start: Seconds, end: Seconds, text: t.string }),
  t.partial({ speaker_id: t.union([t.string, t.number]) }),
]);
const Mistral = t.type({ segments: t.readonlyArray(Segment) });

/**
 * Mistral's Voxtral with diarisation: segments, or single words, by speaker, times in seconds (docs.mistral.ai, "Audio
 * transcriptions"). Without speakers it has Whisper's form, and is read as that.
 */
export const mistral: JsonFormat = {
  name: 'mistral',
  reads: 'json',
  recognises: (json) => listAt(json, 'segments').some((segment) => valueAt(segment, 'speaker_id') !== undefined),
  read: (json) => {
    const { segments } = decodeDocument(Mistral, json);
    const spoken = segments.map(({ speaker_id, ...said }, index) => ({
      ...said,
      speaker: speaker_id === undefined ? null : String(speaker_id),
      place: `segments[${index}]`,
    }));
    return { rows: segments.length, speech: { grain: 'word', spoken } };
  },
};
