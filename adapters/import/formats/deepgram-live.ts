import * as t from 'io-ts';
import type { JsonFormat } from '../format.js';
import { decodeDocument, listAt, messagesOf, valueAt } from '../json.js';
import { Tally } from '../tally.js';
import { DeepgramChannel, wordsOfChannel } from './deepgram.js';

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
