import * as t from 'io-ts';
import { Seconds, decodeDocument, hasAny, jsonFormat, labelText, messagesOf, object, TextOrNumber } from '../json.js';
import { mapAndRelease } from '../format.js';
import { listFormat } from '../list-format.js';

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
  { speaker: t.partial({ id: TextOrNumber, name: t.string }) },
);

/** What `vosk-transcriber` writes, and Gecko: monologues, times in seconds (github.com/gong-io/gecko). */
export const gecko = listFormat({
  name: 'vosk',
  list: 'monologues',
  own: ['monologues[].terms[]'],
  element: Monologue,
  pieces: 'words',
  read: ({ speaker: { id, name } = {}, terms }) => {
    const label = labelText(id ?? name);
    const speaker = name === undefined && label === 'unknown' ? null : label;
    return terms.map(({ text, start, end, type }, at) => {
      return { speaker, name, start, end, text, glued: at > 0 && type?.toUpperCase() === 'PUNCTUATION' };
    });
  },
});
