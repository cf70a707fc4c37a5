import * as t from 'io-ts';
import { Milliseconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, withEnds, Tally } from '../format.js';

const Token = t.intersection([
  t.type({ text: t.string }),
  t.partial({
    start_ms: Milliseconds,
    end_ms: Milliseconds,
    speaker: t.union([t.string, t.number]),
    translation_status: t.string,
  }),
]);
const Soniox = t.intersection([t.type({ tokens: t.readonlyArray(Token) }), t.partial({ id: t.string })]);

/**
 * Soniox's transcript: tokens, which are parts of words, times in milliseconds; a space begins a word (soniox.com/docs,
 * "Get transcription transcript").
 */
export const soniox: JsonFormat = {
  name: 'soniox',
  reads: 'json',
  recognises: (json) => listAt(json, 'tokens').some((token) => typeof valueAt(token, 'start_ms') === 'number'),
  read: (json) => {
    const { tokens, id } = decodeDocument(Soniox, json);
    const dropped = new Tally();
    const heard = tokens.flatMap(({ text, start_ms, end_ms, speaker, translation_status }) => {
      const isTranslation = translation_status === 'translation';
      if (isTranslation || start_ms === undefined) {
        dropped.add(isTranslation ? 'token of a translation' : 'token without a time');
        return [];
      }
      const label = speaker === undefined ? null : String(speaker);
      return [{ text, start: start_ms, end: end_ms, speaker: label, place: 'tokens' }];
    });
    const spoken = withEnds(heard).map((token, index) => ({
      ...token,
      glued: index > 0 && !/^\s/.test(token.text) && !/\s$/.test(heard[index - 1]?.text ?? ''),
    }));
    return { recording: id, rows: tokens.length, speech: { grain: 'word', spoken }, dropped };
  },
};
