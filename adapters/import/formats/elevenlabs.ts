import * as t from 'io-ts';
import { Seconds, decodeDocument, has, jsonFormat, listAt, object } from '../json.js';
import { withEnds, type Tally } from '../format.js';

const Word = object({ text: t.string, type: t.string }, { start: Seconds, end: Seconds, speaker_id: t.string });
const Transcript = object({ words: t.readonlyArray(Word) }, { channel_index: t.number });
const Channels = t.type({ transcripts: t.readonlyArray(Transcript) });

const isTranscript = (json: unknown): boolean => has(json, 'language_code', 'words[].type');

const wordsOf = ({ words, channel_index: channel }: t.TypeOf<typeof Transcript>, place: string, dropped: Tally) =>
  withEnds(
    words.flatMap(({ text, type, start, end, speaker_id: speaker = null }) => {
      if (type === 'spacing') return [];
      if (type === 'word' && start !== undefined) return [{ speaker, channel, start, end, text, place }];
      dropped.add(type === 'word' ? 'word without a time' : type.replace('_', ' '));
      return [];
    }),
  );

/**
 * ElevenLabs' Scribe, one transcript or one for each channel: words, times in seconds (npm `@elevenlabs/elevenlabs-js`,
 * `SpeechToTextWordResponseModel`).
 */
export const elevenLabs = jsonFormat({
  name: 'elevenlabs',
  recognises: (json) => isTranscript(json) || listAt(json, 'transcripts').some(isTranscript),
  codec: t.unknown,
  read: (json, { dropped }) => {
    const words =
      listAt(json, 'transcripts').length === 0
        ? wordsOf(decodeDocument(Transcript, json), 'words', dropped)
        : decodeDocument(Channels, json).transcripts.flatMap((transcript, index) =>
            wordsOf(transcript, `transcripts[${index}].words`, dropped),
          );
    return { rows: words.length, words, missing: 'no word times: request them (timestamps_granularity)' };
  },
});
