import * as t from 'io-ts';
import { Seconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, valueAt } from '../json.js';

const Word = t.intersection([
  t.type({ word: t.string, start: Seconds, end: Seconds }),
  t.partial({ punctuated_word: t.string, speaker: t.Int }),
]);
export const DeepgramChannel = t.partial({
  alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(Word) })),
});
const Deepgram = t.intersection([
  t.type({ results: t.type({ channels: t.readonlyArray(DeepgramChannel) }) }),
  t.partial({ metadata: t.partial({ request_id: t.string }) }),
]);

/** The words of a channel at this place. */
export const wordsOfChannel = (
  { alternatives = [] }: t.TypeOf<typeof DeepgramChannel>,
  channel: number,
  place: string,
) =>
  (alternatives[0]?.words ?? []).map(({ word, punctuated_word, speaker, start, end }) => ({
    speaker: speaker === undefined ? null : `speaker ${speaker}`,
    channel,
    start,
    end,
    text: punctuated_word || word,
    place,
  }));

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
    const spoken = results.channels.flatMap((one, channel) =>
      wordsOfChannel(one, channel, `results.channels[${channel}]`),
    );
    return { recording: metadata?.request_id, rows: spoken.length, speech: { grain: 'word', spoken } };
  },
};
