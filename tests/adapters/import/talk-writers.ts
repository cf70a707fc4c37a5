import { captionWriters } from './caption-talk-writers.js';
import { liveWriters } from './live-talk-writers.js';
import { namedWriters } from './named-talk-writers.js';
import { recogniserWriters } from './recogniser-talk-writers.js';
import { millis, seconds, type Writer } from './talk-notation.js';
import { split } from './talks.js';

/** A document of a talk in each format. */
export const writers: Readonly<Record<string, Writer>> = {
  whisperx: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      language: 'en',
      segments: said.map((one) => ({
        start: seconds(one.start),
        end: seconds(one.end),
        text: one.text,
        speaker: `SPEAKER_0${one.speaker}`,
        words: [],
      })),
    }),
  },
  whisperx_words: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      segments: said.map((one) => ({
        start: seconds(one.start),
        end: seconds(one.end),
        text: '',
        words: split(one).map(({ word, from, to }) => ({
          word,
          start: seconds(from),
          end: seconds(to),
          score: 0.9,
          speaker: `SPEAKER_0${one.speaker}`,
        })),
      })),
      word_segments: [],
    }),
  },
  deepgram: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      metadata: { request_id: 'r', channels: 1 },
      results: {
        channels: [
          {
            alternatives: [
              {
                confidence: 0.9,
                words: said.flatMap((one) =>
                  split(one).map(({ word, from, to }) => ({
                    word: 'plain',
                    punctuated_word: word,
                    start: seconds(from),
                    end: seconds(to),
                    speaker: one.speaker,
                  })),
                ),
              },
            ],
          },
        ],
      },
    }),
  },
  assemblyai: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      id: 't',
      status: 'completed',
      words: [],
      utterances: said.map((one) => ({
        speaker: 'AB'[one.speaker],
        start: millis(one.start),
        end: millis(one.end),
        text: one.text,
        confidence: 0.9,
      })),
    }),
  },
  amazon_call_analytics: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      JobStatus: 'COMPLETED',
      Transcript: said.map((one, index) => ({
        Id: `t${index}`,
        ParticipantRole: one.speaker === 0 ? 'AGENT' : 'CUSTOMER',
        BeginOffsetMillis: millis(one.start),
        EndOffsetMillis: millis(one.end),
        Content: one.text,
      })),
    }),
  },
  amazon_data_automation: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      audio_segments: said.map((one, segment_index) => ({
        segment_index,
        start_timestamp_millis: millis(one.start),
        end_timestamp_millis: millis(one.end),
        type: 'TRANSCRIPT',
        text: one.text,
        speaker: { speaker_label: `spk_${one.speaker}` },
      })),
    }),
  },
  amazon_transcribe: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      status: 'COMPLETED',
      results: {
        transcripts: [{}],
        items: said.flatMap((one) =>
          split(one).map(({ word, from, to }) => ({
            type: 'pronunciation',
            start_time: String(seconds(from)),
            end_time: String(seconds(to)),
            speaker_label: `spk_${one.speaker}`,
            alternatives: [{ content: word, confidence: '0.9' }],
          })),
        ),
      },
    }),
  },
  google_speech: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      results: said.map((one) => ({
        alternatives: [
          {
            confidence: 0.9,
            words: split(one).map(({ word, from, to }) => ({
              word,
              startOffset: `${seconds(from)}s`,
              endOffset: `${seconds(to)}s`,
              speakerLabel: String(one.speaker + 1),
            })),
          },
        ],
        languageCode: 'en-us',
      })),
    }),
  },
  speechmatics: {
    named: false,
    spoken: true,
    write: ({ said }) => ({
      format: '2.9',
      results: said.flatMap((one) =>
        split(one).map(({ word, from, to }) => ({
          type: 'word',
          start_time: seconds(from),
          end_time: seconds(to),
          alternatives: [{ content: word, confidence: 0.9, speaker: `S${one.speaker}` }],
        })),
      ),
    }),
  },
  ...recogniserWriters,
  ...namedWriters,
  ...captionWriters,
  ...liveWriters,
};
