import * as t from 'io-ts';
import { Milliseconds, has, jsonFormat, labelText, listed, object } from '../json.js';
import { refuse } from '../format.js';

const Label = t.partial({ label: t.union([t.string, t.number]), name: t.string });
const Segment = object(
  { start: Milliseconds, end: Milliseconds, text: t.string },
  { diarization: Label, speaker: Label },
);

/**
 * NAVER's CLOVA Speech, long sentences: segments by speaker, times in milliseconds (api.ncloud-docs.com, "CLOVA Speech").
 */
export const clovaSpeech = jsonFormat({
  name: 'clova_speech',
  recognises: (json) => has(json, 'segments[].diarization.label', 'result'),
  codec: object({ segments: t.readonlyArray(Segment) }, { result: t.string }),
  read: ({ segments, result = 'COMPLETED' }) => {
    if (!/^(?:COMPLETED|SUCCEEDED)$/.test(result)) refuse('result', `is ${JSON.stringify(result)}, not "COMPLETED"`);
    const names = new Map<string, string>();
    const utterances = listed('segments', segments, ({ start, end, text, diarization, speaker: named }, place) => {
      const speaker = labelText(diarization?.label ?? named?.label);
      if (speaker !== null && named?.name !== undefined) names.set(speaker, named.name);
      return { speaker, start, end, text, place };
    });
    return { rows: segments.length, utterances, names };
  },
});
