import * as t from 'io-ts';
import {
  Seconds,
  decodeDocument,
  has,
  jsonFormat,
  listed,
  messagesOf,
  messagesOfKind,
  numberedSpeaker,
  object,
  valueAt,
} from '../json.js';
import { mapAndRelease } from '../format.js';

const Word = object({ word: t.string, start: Seconds, end: Seconds }, { punctuated_word: t.string, speaker: t.Int });
const Channel = t.partial({
  alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(Word) })),
});
const Utterance = object({ start: Seconds, end: Seconds, transcript: t.string }, { speaker: t.Int, channel: t.Int });
const Results = object({ channels: t.readonlyArray(Channel) }, { utterances: t.readonlyArray(Utterance) });

/** The words of a channel at this place. */
const wordsOfChannel = ({ alternatives = [] }: t.TypeOf<typeof Channel>, channel: number, place: string) =>
  mapAndRelease(alternatives[0]?.words ?? [], ({ word, punctuated_word, speaker, start, end }) => ({
    speaker: numberedSpeaker(speaker),
    channel,
    start,
    end,
    text: punctuated_word || word,
    place,
  }));

/**
 * Deepgram's pre-recorded audio, with `diarize` or by channels: words, times in seconds (developers.deepgram.com,
 * "Pre-recorded audio"). Speaker numbers start again in each channel; without diarisation each of several channels is a
 * speaker. Documents whose words were left out may have utterances.
 */
export const deepgram = jsonFormat({
  name: 'deepgram',
  recognises: (json) => has(json, 'results.channels[]'),
  codec: object({ results: Results }, { metadata: t.partial({ request_id: t.string }) }),
  read: ({ results: { channels, utterances: whole = [] }, metadata }) => {
    const words = channels.flatMap((one, channel) => wordsOfChannel(one, channel, `results.channels[${channel}]`));
    const recording = metadata?.request_id;
    if (words.length > 0) return { recording, rows: words.length, words };
    const utterances = listed(
      'results.utterances',
      whole,
      ({ start, end, transcript: text, speaker, channel }, place) => {
        return { speaker: numberedSpeaker(speaker), channel, start, end, text, place };
      },
    );
    return { recording, rows: whole.length, utterances, missing: 'no words and no utterances' };
  },
});

const Live = object({ channel: Channel }, { is_final: t.boolean, channel_index: t.readonlyArray(t.Int) });

/**
 * The messages of Deepgram's live service, one a line or as a list: final results have the words
 * (developers.deepgram.com, "Live audio").
 */
export const deepgramLive = jsonFormat({
  name: 'deepgram',
  recognises: (json) =>
    messagesOf(json).some(
      (message) => valueAt(message, 'type') === 'Results' && has(message, 'channel.alternatives[]'),
    ),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const words = messagesOfKind(json, 'type', 'Results', dropped).flatMap(({ message, place }) => {
      const { channel, is_final = true, channel_index = [] } = decodeDocument(Live, message, place);
      const said = wordsOfChannel(channel, channel_index[0] ?? 0, `${place}.channel`);
      if (is_final && said.length === 0 && channel.alternatives?.[0]?.transcript) dropped.add('result without words');
      if (!is_final) dropped.add('interim result');
      return is_final ? said : [];
    });
    const byChannel = words.toSorted((a, b) => a.channel - b.channel);
    return { rows: messagesOf(json).length, words: byChannel, missing: 'no words in a final result' };
  },
});
