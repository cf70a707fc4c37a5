import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Seconds } from '../times.js';

const Word = t.intersection([
  t.type({ word: t.string, start: Seconds, end: Seconds }),
  t.partial({ punctuated_word: t.string, speaker: t.Int }),
]);
const Channel = t.type({ alternatives: t.readonlyArray(t.type({ words: t.readonlyArray(Word) })) });
const Deepgram = t.intersection([
  t.type({ results: t.type({ channels: t.readonlyArray(Channel) }) }),
  t.partial({ metadata: t.partial({ request_id: t.string }) }),
]);
type Channels = ReadonlyArray<t.TypeOf<typeof Channel>>;

/** Speaker numbers start again in each channel; without diarisation each of several channels is a speaker. */
const labelOf = (channels: Channels, channel: number, speaker: number | undefined): string | null => {
  if (channels.length === 1) return speaker === undefined ? null : `speaker ${speaker}`;
  return speaker === undefined ? `channel ${channel}` : `channel ${channel} speaker ${speaker}`;
};

const spokenOf = (channels: Channels): ReadonlyArray<Spoken> =>
  channels.flatMap(({ alternatives }, channel) =>
    (alternatives[0]?.words ?? []).map(({ word, punctuated_word, speaker, start, end }, index) => ({
      speaker: labelOf(channels, channel, speaker),
      start,
      end,
      text: punctuated_word ?? word,
      place: `results.channels[${channel}].alternatives[0].words[${index}]`,
    })),
  );

/** Deepgram's pre-recorded audio, with `diarize` or by channels: words, times in seconds. */
export const deepgram = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'results', 'channels')),
  Deepgram,
  ({ results: { channels }, metadata }) => {
    const spoken = spokenOf(channels);
    return E.right({ recording: metadata?.request_id ?? null, rows: spoken.length, speech: { grain: 'word', spoken } });
  },
);
