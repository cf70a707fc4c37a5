import * as t from 'io-ts';
import { Seconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, valueAt } from '../json.js';

const Word = t.intersection([
  t.type({ word: t.string, start: Seconds, end: Seconds }),
  t.partial({ punctuated_word: t.string, speaker: t.Int }),
]);
const Channel = t.partial({ alternatives: t.readonlyArray(t.partial({ words: t.readonlyArray(Word) })) });
const Deepgram = t.intersection([
  t.type({ results: t.type({ channels: t.readonlyArray(Channel) }) }),
  t.partial({ metadata: t.partial({ request_id: t.string }) }),
]);

/**
 * Deepgram's pre-recorded audio, with `diarize` or by channels: words, times in seconds (developers.deepgram.com,
 * "Pre-recorded audio"). Speaker numbers start again in each channel; without diarisation each of several channels is a
 * speaker.
 */
export const deepgram: JsonFormat = {
  name: 'deepgram',
  reads: 'json',
  recognises: (json) => Array.isArray(valueAt(json, 'results', 'channels')),
  read: (json) => {
    const { results, metadata } = decodeDocument(Deepgram, json);
    const spoken = results.channels.flatMap(({ alternatives = [] }, channel) =>
      (alternatives[0]?.words ?? []).map(({ word, punctuated_word, speaker, start, end }, index) => ({
        speaker: speaker === undefined ? null : `speaker ${speaker}`,
        channel,
        start,
        end,
        text: punctuated_word || word,
        place: `results.channels[${channel}].alternatives[0].words[${index}]`,
      })),
    );
    return { recording: metadata?.request_id, rows: spoken.length, speech: { grain: 'word', spoken } };
  },
};
