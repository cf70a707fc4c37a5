import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, mapAndRelease, Tally } from '../format.js';

const Word = t.type({ word: t.string, start: Seconds, end: Seconds });
const Alternative = t.partial({ result: t.readonlyArray(Word), text: t.string });
const Result = t.intersection([
  Alternative,
  t.partial({ partial: t.string, alternatives: t.readonlyArray(Alternative) }),
]);
const Results = t.readonlyArray(Result);

const isTimed = (result: unknown): boolean => valueAt(result, 'result', 0, 'word') !== undefined;
const isResult = (result: unknown): boolean => isTimed(result) || isTimed(valueAt(result, 'alternatives', 0));

/** Vosk's results, one or a list: words, times in seconds (github.com/alphacep/vosk-api). */
export const vosk: JsonFormat = {
  name: 'vosk',
  reads: 'json',
  recognises: (json) => (Array.isArray(json) ? listAt(json).some(isResult) : isResult(json)),
  read: (json) => {
    const results = Array.isArray(json) ? decodeDocument(Results, json) : [decodeDocument(Result, json)];
    const dropped = new Tally();
    const spoken = results.flatMap(({ partial, alternatives = [], ...own }, index) => {
      const { result: words = [], text = '' } = alternatives[0] ?? own;
      if (partial !== undefined) dropped.add('interim result');
      else if (words.length === 0 && text !== '') dropped.add('result without words');
      const place = Array.isArray(json) ? `[${index}].result` : 'result';
      return mapAndRelease(words, ({ word, start, end }) => ({ speaker: null, start, end, text: word, place }));
    });
    return { rows: results.length, speech: { grain: 'word', spoken }, dropped };
  },
};

const Term = t.intersection([t.type({ text: t.string, start: Seconds, end: Seconds }), t.partial({ type: t.string })]);
const Monologue = t.intersection([
  t.type({ terms: t.readonlyArray(Term) }),
  t.partial({ speaker: t.partial({ id: t.union([t.string, t.number]), name: t.string }) }),
]);
const Gecko = t.type({ monologues: t.readonlyArray(Monologue) });

/** What `vosk-transcriber` writes, and Gecko: monologues, times in seconds (github.com/gong-io/gecko). */
export const gecko: JsonFormat = {
  name: 'vosk',
  reads: 'json',
  recognises: (json) => listAt(json, 'monologues').some((monologue) => Array.isArray(valueAt(monologue, 'terms'))),
  read: (json) => {
    const { monologues } = decodeDocument(Gecko, json);
    const names = new Map<string, string>();
    const spoken = monologues.flatMap(({ speaker: { id, name } = {}, terms }, index) => {
      const label = id === undefined ? name : String(id);
      const speaker = label === undefined || (name === undefined && label === 'unknown') ? null : label;
      if (speaker !== null && name !== undefined) names.set(speaker, name);
      const place = `monologues[${index}]`;
      return terms.map(({ text, start, end, type }, at) => ({
        speaker,
        start,
        end,
        text,
        glued: at > 0 && type?.toUpperCase() === 'PUNCTUATION',
        place,
      }));
    });
    return { rows: monologues.length, speech: { grain: 'word', spoken, names } };
  },
};
