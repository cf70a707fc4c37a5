import * as t from 'io-ts';
import { Seconds, decodeDocument, valueAt } from '../json.js';
import { type JsonFormat, refuse } from '../format.js';

const Utterance = t.intersection([
  t.type({ start: Seconds, end: Seconds, text: t.string }),
  t.partial({ speaker: t.Int, channel: t.Int }),
]);
const Gladia = t.intersection([
  t.type({ result: t.type({ transcription: t.partial({ utterances: t.readonlyArray(Utterance) }) }) }),
  t.partial({ id: t.string, status: t.string, file: t.partial({ filename: t.string }) }),
]);

/**
 * Gladia's result of a recording or a live session: utterances by speaker and channel, times in seconds (docs.gladia.io,
 * "Get the result of a job").
 */
export const gladia: JsonFormat = {
  name: 'gladia',
  reads: 'json',
  recognises: (json) => valueAt(json, 'result', 'transcription') !== undefined,
  read: (json) => {
    const { result, id, status = 'done', file } = decodeDocument(Gladia, json);
    if (status !== 'done') refuse('status', `is ${JSON.stringify(status)}, not "done"`);
    const { utterances = [] } = result.transcription;
    const spoken = utterances.map(({ speaker, ...said }, index) => ({
      ...said,
      speaker: speaker === undefined ? null : `speaker ${speaker}`,
      place: `result.transcription.utterances[${index}]`,
    }));
    const speech = { grain: 'utterance', spoken, missing: 'no utterances' } as const;
    return { recording: file?.filename ?? id, rows: spoken.length, speech };
  },
};
