import * as t from 'io-ts';
import { Seconds, has, hasAny, jsonFormat, listAt, numberedSpeaker, object } from '../json.js';

const Alternative = t.partial({ timestamps: t.readonlyArray(t.tuple([t.string, Seconds, Seconds])) });
const Result = t.partial({ final: t.boolean, alternatives: t.readonlyArray(Alternative) });
const Label = t.type({ from: Seconds, speaker: t.number });

const isResult = (result: unknown): boolean =>
  has(result, 'alternatives[]') && hasAny(result, 'final', 'alternatives[].timestamps');

/**
 * IBM Watson's Speech to Text: words, times in seconds; a word's speaker is the label that begins with it
 * (cloud.ibm.com/apidocs/speech-to-text, "Recognize audio").
 */
export const ibmWatson = jsonFormat({
  name: 'ibm_watson',
  recognises: (json) => listAt(json, 'results').some(isResult),
  codec: object({ results: t.readonlyArray(Result) }, { speaker_labels: t.readonlyArray(Label) }),
  read: ({ results, speaker_labels: labels = [] }, { dropped }) => {
    const speakers = new Map(labels.map(({ from, speaker }) => [from, speaker]));
    const words = results.flatMap(({ final = true, alternatives: [best] = [] }, index) => {
      if (!final) dropped.add('interim result');
      const place = `results[${index}]`;
      return (final ? (best?.timestamps ?? []) : []).map(([text, start, end]) => {
        return { speaker: numberedSpeaker(speakers.get(start)), start, end, text, place };
      });
    });
    return { rows: results.length, words, missing: 'no word times: request them (timestamps)' };
  },
});
