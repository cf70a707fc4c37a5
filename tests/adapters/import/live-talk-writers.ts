import { millis, seconds, type Writer } from './talk-notation.js';
import { type Said, split } from './talks.js';

const writer = (write: (said: ReadonlyArray<Said>) => object): Writer => ({
  named: false,
  spoken: true,
  write: ({ said }) => write(said),
});

const result = (one: Said) => ({
  result: split(one).map(({ word, from, to }) => ({ word, start: seconds(from), end: seconds(to), conf: 0.9 })),
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
  assemblyai_realtime: {
    ...writer((said) => [
      { message_type: 'SessionBegins', session_id: 's' },
      ...said.flatMap((one) => [
        { message_type: 'PartialTranscript', text: '', words: [] },
        {
          message_type: 'FinalTranscript',
          text: '',
          words: split(one).map(({ word, from, to }) => ({ text: word, start: millis(from), end: millis(to) })),
        },
      ]),
    ]),
    anonymous: true,
  },
  ibm_watson: writer((said) => ({
    result_index: 0,
    results: said.map((one) => ({
      final: true,
      alternatives: [
        {
          confidence: 0.9,
          timestamps: split(one).map(({ word, from, to }) => [word, seconds(from), seconds(to)]),
        },
      ],
    })),
    speaker_labels: said.flatMap((one) =>
      split(one).map(({ from, to }) => ({ from: seconds(from), to: seconds(to), speaker: one.speaker, final: true })),
    ),
  })),
  vosk: { ...writer((said) => said.map(result)), anonymous: true },
  vosk_lines: {
    ...writer((said) => said.map(result)),
    anonymous: true,
    write: ({ said }) => said.map((one) => `${JSON.stringify(result(one))}\n{"partial": ""}\n`).join(''),
  },
  vosk_monologues: writer((said) => ({
    schemaVersion: '2.0',
    monologues: said.map((one) => ({
      speaker: { id: `speaker_${one.speaker}` },
      terms: split(one).map(({ word, from, to }) => ({
        start: seconds(from),
        end: seconds(to),
        text: word,
        type: 'WORD',
      })),
    })),
  })),
};
