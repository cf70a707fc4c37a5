import * as t from 'io-ts';
import { Seconds, decodeDocument, has, hasAny, jsonFormat, labelText, messagesOf, object } from '../json.js';
import { mapAndRelease } from '../format.js';

const Word = t.type({ word: t.string, start: Seconds, end: Seconds });
const alternative = { result: t.readonlyArray(Word), text: t.string };
const Result = t.partial({
  ...alternative,
  partial: t.string,
  alternatives: t.readonlyArray(t.partial(alternative)),
});

/** Vosk's results, one or a list: words, times in seconds (github.com/alphacep/vosk-api). */
export const vosk = jsonFormat({
  name: 'vosk',
  recognises: (json) => messagesOf(json).some((one) => hasAny(one, 'result[].word', 'alternatives[].result[].word')),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const isList = Array.isArray(json);
    const results = isList ? decodeDocument(t.readonlyArray(Result), json) : [decodeDocument(Result, json)];
    const words = results.flatMap(({ partial, alternatives = [], ...own }, index) => {
      const { result: said = [], text = '' } = alternatives[0] ?? own;
      if (partial !== undefined) dropped.add('interim result');
      else if (said.length === 0 && text !== '') dropped.add('result without words');
      const place = isList ? `[${index}].result` : 'result';
      return mapAndRelease(said, ({ word, start, end }) => ({ speaker: null, start, end, text: word, place }));
    });
    return { rows: results.length, words };
  },
});

const Term = object({ text: t.string, start: Seconds, end: Seconds }, { type: t.string });
const Monologue = object(
  { terms: t.readonlyArray(Term) },
  { speaker: t.partial({ id: t.union([t.string, t.number]), name: t.string }) },
);

/** What `vosk-transcriber` writes, and Gecko: monologues, times in seconds (github.com/gong-io/gecko). */
export const gecko = jsonFormat({
  name: 'vosk',
  recognises: (json) => has(json, 'monologues[].terms[]'),
  codec: t.type({ monologues: t.readonlyArray(Monologue) }),
  read: ({ monologues }) => {
    const names = new Map<string, string>();
    const words = monologues.flatMap(({ speaker: { id, name } = {}, terms }, index) => {
      const label = labelText(id ?? name);
      const speaker = name === undefined && label === 'unknown' ? null : label;
      if (speaker !== null && name !== undefined) names.set(speaker, name);
      return terms.map(({ text, start, end, type }, at) => ({
        speaker,
        start,
        end,
        text,
        glued: at > 0 && type?.toUpperCase() === 'PUNCTUATION',
        place: `monologues[${index}]`,
      }));
    });
    return { rows: monologues.length, words, names };
  },
});
