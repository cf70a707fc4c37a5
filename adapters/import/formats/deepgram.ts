import * as t from 'io-ts';
import { Seconds, decodeDocument, valueAt, listAt, messagesOf } from '../json.js';
import { type JsonFormat, mapAndRelease, type Spoken, Tally } from '../format.js';

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

const Results = t.intersection([
  t.type({ channel: DeepgramChannel }),
  t.partial({ is_final: t.boolean, channel_index: t.readonlyArray(t.Int) }),
]);

const isResults = (message: unknown): boolean => valueAt(message, 'type') === 'Results';

/**
 * The messages of Deepgram's live service, one a line or as a list: final results have the words
 * (developers.deepgram.com, "Live audio").
 */
export const deepgramLive: JsonFormat = {
  name: 'deepgram',
  reads: 'json',
  recognises: (json) =>
    messagesOf(json).some((message) => isResults(message) && listAt(message, 'channel', 'alternatives').length > 0),
  read: (json) => {
    const messages = messagesOf(json);
    const dropped = new Tally();
    const spoken = messages.flatMap((message, index) => {
      if (!isResults(message)) {
        dropped.add('message that is no result');
        return [];
      }
      const { channel, is_final = true, channel_index = [] } = decodeDocument(Results, message, `[${index}]`);
      const words = wordsOfChannel(channel, channel_index[0] ?? 0, `[${index}].channel`);
      if (is_final && words.length === 0 && channel.alternatives?.[0]?.transcript) dropped.add('result without words');
      if (!is_final) dropped.add('interim result');
      return is_final ? words : [];
    });
    const byChannel = spoken.toSorted((a, b) => a.channel - b.channel);
    const speech = { grain: 'word', spoken: byChannel, missing: 'no words in a final result' } as const;
    return { rows: messages.length, speech, dropped };
  },
};
