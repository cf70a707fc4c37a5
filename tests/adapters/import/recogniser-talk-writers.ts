import { millis, seconds, type Writer } from './talk-notation.js';
import { split } from './talks.js';

/** Documents of recognisers whose speakers have labels only. */
export const recogniserWriters: Readonly<Record<string, Writer>> = {
  whisper_cpp: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      transcription: said.map((one) => ({
        offsets: { from: millis(one.start), to: millis(one.end) },
        text: ` ${one.text}`,
        speaker: String(one.speaker),
      })),
    }),
  },
  whisper_chunks: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      speakers: said.map((one) => ({
        speaker: `SPEAKER_0${one.speaker}`,
        text: ` ${one.text}`,
        timestamp: [seconds(one.start), seconds(one.end)],
      })),
    }),
  },
  azure_speech: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      phrases: said.map((one) => ({
        speaker: one.speaker,
        offsetMilliseconds: millis(one.start),
        durationMilliseconds: millis(one.end - one.start),
        text: one.text,
      })),
    }),
  },
  elevenlabs: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      language_code: 'eng',
      words: said.flatMap((one) =>
        split(one).map(({ word, from, to }) => ({
          text: word,
          type: 'word',
          start: seconds(from),
          end: seconds(to),
          speaker_id: `speaker_${one.speaker}`,
        })),
      ),
    }),
  },
};
