import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, Tally } from '../format.js';

const Alternative = t.partial({ timestamps: t.readonlyArray(t.tuple([t.string, Seconds, Seconds])) });
const Result = t.partial({ final: t.boolean, alternatives: t.readonlyArray(Alternative) });
const Label = t.type({ from: Seconds, speaker: t.number });
const Watson = t.intersection([
  t.type({ results: t.readonlyArray(Result) }),
  t.partial({ speaker_labels: t.readonlyArray(Label) }),
]);

const isResult = (result: unknown): boolean =>
  Array.isArray(valueAt(result, 'alternatives')) &&
  (valueAt(result, 'final') !== undefined || valueAt(result, 'alternatives', 0, 'timestamps') !== undefined);

/**
 * IBM Watson's Speech to Text: words, times in seconds; a word's speaker is the label that begins with it
 * (cloud.ibm.com/apidocs/speech-to-text, "Recognize audio").
 */
export const ibmWatson: JsonFormat = {
  name: 'ibm_watson',
  reads: 'json',
  recognises: (json) => listAt(json, 'results').some(isResult),
  read: (json) => {
    const { results, speaker_labels: labels = [] } = decodeDocument(Watson, json);
    const speakers = new Map(labels.map(({ from, speaker }) => [from, `speaker ${speaker}`]));
    const dropped = new Tally();
    const spoken = results.flatMap(({ final = true, alternatives: [best] = [] }, index) => {
      if (!final) dropped.add('interim result');
      const place = `results[${index}]`;
      return (final ? (best?.timestamps ?? []) : []).map(([text, start, end]) => ({
        speaker: speakers.get(start) ?? null,
        start,
        end,
        text,
        place,
      }));
    });
    const missing = 'no word times: request them (timestamps)';
    return { rows: results.length, speech: { grain: 'word', spoken, missing }, dropped };
  },
};
