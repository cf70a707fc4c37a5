const count = 10_000;

const each = <Item>(make: (index: number) => Item): ReadonlyArray<Item> =>
  Array.from({ length: count }, (_, i) => make(i));

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);

const cue = (index: number, voice: string): string =>
  `${index + 1}\n${clock(index)} --> ${clock(index + 1)}\n${voice}\n\n`;

const turn = (index: number) => ({ start: index, end: index + 1, speaker: `SPEAKER_${index}` });

const json = (document: object): string => JSON.stringify(document);

/** Documents that name 10,000 speakers, or as many faces and more, each in its format. */
export const manySpeakers: Readonly<Record<string, () => string>> = {
  rttm: () => each((i) => `SPEAKER clip 1 ${i} 1 <NA> <NA> spk${i} <NA> <NA>`).join('\n'),
  whisperx: () => json({ segments: each((i) => ({ ...turn(i), text: 'a' })), language: 'en' }),
  pyannote_json: () => json({ diarization: each(turn) }),
  amazon_transcribe: () =>
    json({
      results: {
        transcripts: [],
        items: each((i) => ({
          type: 'pronunciation',
          start_time: String(i),
          end_time: String(i),
          speaker_label: `spk_${i}`,
          alternatives: [{ content: 'a' }],
        })),
      },
    }),
  amazon_data_automation: () =>
    json({
      audio_segments: each((i) => ({
        segment_index: i,
        start_timestamp_millis: i,
        end_timestamp_millis: i,
        text: 'a',
        speaker: { speaker_label: `spk_${i}` },
      })),
    }),
  azure_video_indexer: () =>
    json({
      videos: [{ insights: { speakers: each((id) => ({ id, instances: [{ start: '0:00:01', end: '0:00:02' }] })) } }],
    }),
  amazon_rekognition_search: () =>
    json({ Persons: Array.from({ length: 2_001 }, (_, Index) => ({ Timestamp: 0, Person: { Index } })) }),
  google_speech: () =>
    json({
      results: [
        {
          alternatives: [
            { words: each((i) => ({ word: 'a', startTime: `${i}s`, endTime: `${i}s`, speakerTag: i + 1 })) },
          ],
        },
      ],
    }),
  deepgram: () =>
    json({
      results: {
        channels: [{ alternatives: [{ words: each((i) => ({ word: 'a', start: i, end: i, speaker: i })) }] }],
      },
    }),
  assemblyai: () =>
    json({
      status: 'completed',
      words: [],
      utterances: each((i) => ({ text: 'a', start: i, end: i, speaker: `S${i}` })),
    }),
  rev: () =>
    json({ monologues: each((speaker) => ({ speaker, elements: [{ type: 'text', value: 'a', ts: 1, end_ts: 2 }] })) }),
  speechmatics: () =>
    json({
      format: '2.9',
      results: each((i) => ({
        type: 'word',
        start_time: i,
        end_time: i,
        alternatives: [{ content: 'a', speaker: `S${i}` }],
      })),
    }),
  bbc_kaldi: () =>
    json({
      segmentation: {
        speakers: each((i) => ({ '@id': `S${i}` })),
        segments: each((i) => ({ start: i, duration: 1, speaker: { '@id': `S${i}` } })),
      },
    }),
  webvtt: () => `WEBVTT\n\n${each((i) => cue(i, `<v Person ${i}>a`)).join('')}`,
  zoom_vtt: () => `WEBVTT\n\n${each((i) => cue(i, `Person Number ${i}: a`)).join('')}`,
  srt: () => each((i) => cue(i, `Person Number ${i}: a`).replaceAll('.', ',')).join(''),
};
