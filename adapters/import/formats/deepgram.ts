import * as t from 'io-ts';
import { Seconds } from '../codecs.js';
import type { JsonFormat } from '../format.js';
import { decodeDocument, valueAt } from '../json.js';
import { mapAndRelease, type Spoken } from '../speech-parts.js';

const Word = t.intersection([
  t.type({ word: t.string, start: Seconds, end: Seconds }),
  t.partial({ punctuated_word: t.string, speaker: t.Int }),
]);
export const DeepgramChannel = t.partial({
  alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(Word) })),
});
const Utterance = t.intersection([
  t.type({ start: Seconds, end: Seconds, transcript: t.string }),
  t.partial({ speaker: t.Int, channel: t.Int }),
]);
const Deepgram = t.intersection([
  t.type({
    results: t.intersection([
      t.type({ channels: t.readonlyArray(DeepgramChannel) }),
      t.partial({ utterances: t.readonlyArray(Utterance) }),
    ]),
  }),
  t.partial({ metadata: t.partial({ request_id: t.string }) }),
]);

const labelOf = (speaker: number | undefined): string | null => (speaker === undefined ? null : `speaker ${speaker}`);

/** The words of a channel at this place. */
export const wordsOfChannel = (
  { alternatives = [] }: t.TypeOf<typeof DeepgramChannel>,
  channel: number,
  place: string,
) =>
  mapAndRelease(alternatives[0]?.words ?? [], ({ word, punctuated_word, speaker, start, end }) => ({
    speaker: labelOf(speaker),
    channel,
    start,
    end,
    text: punctuated_word || word,
    place,
  }));

/** What `utterances` adds, for documents whose words were left out. */
const utterancesOf = (utterances: ReadonlyArray<t.TypeOf<typeof Utterance>>): ReadonlyArray<Spoken> =>
  utterances.map(({ start, end, transcript: text, speaker, channel }, index) => {
    return { speaker: labelOf(speaker), channel, start, end, text, place: `results.utterances[${index}]` };
  });

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
    const recording = metadata?.request_id;
    if (spoken.length > 0) return { recording, rows: spoken.length, speech: { grain: 'word', spoken } };
    const whole = utterancesOf(results.utterances ?? []);
    const missing = 'no words and no utterances';
    return { recording, rows: whole.length, speech: { grain: 'utterance', spoken: whole, missing } };
  },
};
