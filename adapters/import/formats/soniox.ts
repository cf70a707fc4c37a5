import * as t from 'io-ts';
import { Milliseconds, has, jsonFormat, labelText, object } from '../json.js';
import { gluedBySpaces, withEnds } from '../format.js';

const Token = object(
  { text: t.string },
  {
    start_ms: Milliseconds,
    end_ms: Milliseconds,
    speaker: t.union([t.string, t.number]),
    translation_status: t.string,
  },
);

/**
 * Soniox's transcript: tokens, which are parts of words, times in milliseconds; a space begins a word (soniox.com/docs,
 * "Get transcription transcript").
 */
export const soniox = jsonFormat({
  name: 'soniox',
  recognises: (json) => has(json, 'tokens[].start_ms'),
  codec: object({ tokens: t.readonlyArray(Token) }, { id: t.string }),
  read: ({ tokens, id }, { dropped }) => {
    const heard = tokens.flatMap(({ text, start_ms: start, end_ms: end, speaker, translation_status }) => {
      const isTranslation = translation_status === 'translation';
      if (!isTranslation && start !== undefined)
        return [{ text, start, end, speaker: labelText(speaker), place: 'tokens' }];
      dropped.add(isTranslation ? 'token of a translation' : 'token without a time');
      return [];
    });
    return { recording: id, rows: tokens.length, words: gluedBySpaces(withEnds(heard)) };
  },
});
