import { clock, cues, escaped, millis, seconds, text, type Writer } from './talk-notation.js';
import { split } from './talks.js';

/** Documents of formats with names, and with turns only. */
export const namedWriters: Readonly<Record<string, Writer>> = {
  rev: {
    named: true,
    spoken: true,
    write: ({ names: people, said }) => ({
      speakers: people.map((name, id) => ({ id, name })),
      monologues: said.map((one) => ({
        speaker: one.speaker,
        elements: split(one).flatMap(({ word, from, to }) => [
          { type: 'text', value: word, ts: seconds(from), end_ts: seconds(to), confidence: 0.9 },
          { type: 'punct', value: ' ' },
        ]),
      })),
    }),
  },
  azure_video_indexer: {
    named: true,
    spoken: true,
    write: ({ names: people, said }) => ({
      name: 'talk',
      videos: [
        {
          state: 'Processed',
          insights: {
            transcript: said.map((one, id) => ({
              id,
              text: one.text,
              speakerId: one.speaker,
              instances: [{ start: clock(one.start, '.'), end: clock(one.end, '.') }],
            })),
            speakers: people.map((name, id) => ({
              id,
              name,
              instances: said
                .filter(({ speaker }) => speaker === id)
                .map((one) => ({ start: clock(one.start, '.'), end: clock(one.end, '.') })),
            })),
          },
        },
      ],
    }),
  },
  clova_speech: {
    named: true,
    spoken: true,
    write: ({ names: people, said }) => ({
      result: 'COMPLETED',
      segments: said.map((one) => ({
        start: millis(one.start),
        end: millis(one.end),
        text: one.text,
        diarization: { label: String(one.speaker) },
        speaker: { label: String(one.speaker), name: people[one.speaker] },
      })),
    }),
  },
  pyannote_json: {
    named: true,
    spoken: false,
    write: ({ names: people, said }) => ({
      jobId: 'j',
      status: 'succeeded',
      output: {
        identification: said.map((one) => ({
          speaker: people[one.speaker],
          start: seconds(one.start),
          end: seconds(one.end),
        })),
      },
    }),
  },
  bbc_kaldi: {
    named: false,
    spoken: false,
    write: ({ said }) => ({
      segmentation: {
        speakers: [{ '@id': 'S0' }, { '@id': 'S1' }],
        segments: said.map((one) => ({
          '@type': 'Segment',
          start: seconds(one.start),
          duration: seconds(one.end - one.start),
          speaker: { '@id': `S${one.speaker}` },
        })),
      },
    }),
  },
  rttm: {
    named: true,
    spoken: false,
    write: ({ names: people, said }) =>
      said
        .map(
          (one) =>
            `SPEAKER talk 1 ${text(one.start)} ${text(one.end - one.start)} <NA> <NA> ${people[one.speaker] ?? ''} <NA> <NA>\n`,
        )
        .join(''),
  },
  webvtt: {
    named: true,
    spoken: true,
    write: (talk) => `WEBVTT\n\n${cues(talk, '.', (name, said) => `<v ${name}>${escaped(said)}</v>`)}`,
  },
  zoom_vtt: {
    named: true,
    spoken: true,
    write: (talk) => `WEBVTT\n\n${cues(talk, '.', (name, said) => `${name}: ${escaped(said)}`)}`,
  },
  srt: {
    named: true,
    spoken: true,
    write: (talk) => cues(talk, ',', (name, said) => `${name}: ${escaped(said)}`),
  },
};
