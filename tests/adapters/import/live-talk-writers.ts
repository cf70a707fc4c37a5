import { millis, seconds, type Writer } from './talk-notation.js';
import { type Said, split } from './talks.js';

const writer = (write: (said: ReadonlyArray<Said>) => object): Writer => ({
  named: false,
  spoken: true,
  write: ({ said }) => write(said),
});

/** Documents of cloud and live recognisers. */
export const liveWriters: Readonly<Record<string, Writer>> = {
  gladia: writer((said) => ({
    status: 'done',
    result: {
      transcription: {
        utterances: said.map(({ start, end, text, speaker }) => ({
          start: seconds(start),
          end: seconds(end),
          text,
          speaker,
          channel: 0,
        })),
      },
    },
  })),
  soniox: writer((said) => ({
    tokens: said.flatMap((one) =>
      split(one).map(({ word, from, to }) => ({
        text: ` ${word}`,
        start_ms: millis(from),
        end_ms: millis(to),
        speaker: String(one.speaker + 1),
      })),
    ),
  })),
  mistral: writer((said) => ({
    segments: said.map(({ start, end, text, speaker }) => ({
      start: seconds(start),
      end: seconds(end),
      text: ` ${text}`,
      speaker_id: `speaker_${speaker}`,
      type: 'transcription_segment',
    })),
  })),
  deepgram_words: writer((said) =>
    said.map((one) => ({
      type: 'Results',
      channel_index: [0, 1],
      is_final: true,
      channel: {
        alternatives: [
          {
            words: split(one).map(({ word, from, to }) => ({
              word,
              start: seconds(from),
              end: seconds(to),
              speaker: one.speaker,
            })),
          },
        ],
      },
    })),
  ),
  assemblyai_words: writer((said) =>
    said.map((one, turn_order) => ({
      type: 'Turn',
      turn_order,
      turn_is_formatted: true,
      speaker_label: 'AB'[one.speaker],
      words: split(one).map(({ word, from, to }) => ({ text: word, start: millis(from), end: millis(to) })),
    })),
  ),
};
