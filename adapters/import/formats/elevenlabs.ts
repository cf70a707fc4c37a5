import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, valueAt } from '../json.js';
import { type JsonFormat, withEnds, Tally } from '../format.js';

const Word = t.intersection([
  t.type({ text: t.string, type: t.string }),
  t.partial({ start: Seconds, end: Seconds, speaker_id: t.string }),
]);
const Transcript = t.intersection([t.type({ words: t.readonlyArray(Word) }), t.partial({ channel_index: t.number })]);
type Transcript = t.TypeOf<typeof Transcript>;
const Channels = t.type({ transcripts: t.readonlyArray(Transcript) });

const isTranscript = (json: unknown): boolean =>
  valueAt(json, 'language_code') !== undefined &&
  listAt(json, 'words').some((word) => /^(?:word|spacing|audio_event)$/.test(String(valueAt(word, 'type'))));

const spokenOf = ({ words, channel_index: channel }: Transcript, path: string, dropped: Tally) =>
  withEnds(
    words.flatMap(({ text, type, start, end, speaker_id: speaker = null }) => {
      if (type === 'spacing') return [];
      if (type === 'word' && start !== undefined)
        return [{ speaker, channel, start, end, text, place: `${path}words` }];
      dropped.add(type === 'word' ? 'word without a time' : type.replace('_', ' '));
      return [];
    }),
  );

/**
 * ElevenLabs' Scribe, one transcript or one for each channel: words, times in seconds (npm `@elevenlabs/elevenlabs-js`,
 * `SpeechToTextWordResponseModel`).
 */
export const elevenLabs: JsonFormat = {
  name: 'elevenlabs',
  reads: 'json',
  recognises: (json) => isTranscript(json) || listAt(json, 'transcripts').some(isTranscript),
  read: (json) => {
    const dropped = new Tally();
    const spoken =
      listAt(json, 'transcripts').length === 0
        ? spokenOf(decodeDocument(Transcript, json), '', dropped)
        : decodeDocument(Channels, json).transcripts.flatMap((transcript, index) =>
            spokenOf(transcript, `transcripts[${index}].`, dropped),
          );
    const missing = 'no word times: request them (timestamps_granularity)';
    return { rows: spoken.length, speech: { grain: 'word', spoken, missing }, dropped };
  },
};
