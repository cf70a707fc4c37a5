import * as t from 'io-ts';
import { Milliseconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, refuse } from '../format.js';

const Label = t.partial({ label: t.union([t.string, t.number]), name: t.string });
const Segment = t.intersection([
  t.type({ start: Milliseconds, end: Milliseconds, text: t.string }),
  t.partial({ diarization: Label, speaker: Label }),
]);
const Clova = t.intersection([t.type({ segments: t.readonlyArray(Segment) }), t.partial({ result: t.string })]);

/**
 * NAVER's CLOVA Speech, long sentences: segments by speaker, times in milliseconds (api.ncloud-docs.com, "CLOVA Speech").
 */
export const clovaSpeech: JsonFormat = {
  name: 'clova_speech',
  reads: 'json',
  recognises: (json) =>
    listAt(json, 'segments').some((segment) => valueAt(segment, 'diarization', 'label') !== undefined) &&
    typeof valueAt(json, 'result') === 'string',
  read: (json) => {
    const { segments, result = 'COMPLETED' } = decodeDocument(Clova, json);
    if (!/^(?:COMPLETED|SUCCEEDED)$/.test(result)) refuse('result', `is ${JSON.stringify(result)}, not "COMPLETED"`);
    const names = new Map<string, string>();
    const spoken = segments.map(({ start, end, text, diarization = {}, speaker = {} }, index) => {
      const label = diarization.label ?? speaker.label;
      if (label !== undefined && speaker.name !== undefined) names.set(String(label), speaker.name);
      return { speaker: label === undefined ? null : String(label), start, end, text, place: `segments[${index}]` };
    });
    return { rows: segments.length, speech: { grain: 'utterance', spoken, names } };
  },
};
