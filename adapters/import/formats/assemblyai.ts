import * as t from 'io-ts';
import { Milliseconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { refuse } from '../imported.js';
import { decodeDocument, valueAt } from '../json.js';
import { mapAndRelease } from '../speech-parts.js';

const Said = t.intersection([
  t.type({ text: t.string, start: Milliseconds, end: Milliseconds }),
  t.partial({ speaker: t.string, channel: t.union([t.string, t.number]) }),
]);
const AssemblyAi = t.intersection([
  t.type({ status: t.string }),
  t.partial({ id: t.string, words: t.readonlyArray(Said), utterances: t.readonlyArray(Said) }),
]);

/**
 * AssemblyAI's transcript: utterances if speaker labels were requested, otherwise words; times in milliseconds
 * (assemblyai.com/docs, "Transcript").
 */
export const assemblyAi: JsonFormat = {
  name: 'assemblyai',
  reads: 'json',
  recognises: (json) =>
    typeof valueAt(json, 'status') === 'string' &&
    valueAt(json, 'result') === undefined &&
    (valueAt(json, 'words') !== undefined ||
      valueAt(json, 'utterances') !== undefined ||
      valueAt(json, 'audio_url') !== undefined),
  read: (json) => {
    const { status, id, words = [], utterances = [] } = decodeDocument(AssemblyAi, json);
    if (status !== 'completed') refuse('status', `is ${JSON.stringify(status)}, not "completed"`);
    const [grain, said] = utterances.length === 0 ? (['word', words] as const) : (['utterance', utterances] as const);
    const spoken = mapAndRelease(said, ({ speaker = null, channel, start, end, text }, index) => {
      return { speaker, channel, start, end, text, place: grain === 'word' ? 'words' : `utterances[${index}]` };
    });
    return { recording: id, rows: spoken.length, speech: { grain, spoken } };
  },
};
