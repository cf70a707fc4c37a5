/** How to break a sample: the replaced text, the replacement, and the expected error. */
export type Break = readonly [sample: string, from: string | RegExp, to: string, error: RegExp];

/** A time of each JSON sample that is made negative: what stands before it, the time, and the place and value of the error. */
export const negativeTimes: ReadonlyArray<readonly [sample: string, before: string, time: string, error: string]> = [
  ['amazon-call-analytics.json', '"BeginOffsetMillis": ', '3200', 'Transcript[1].BeginOffsetMillis: -3.2'],
  [
    'amazon-data-automation.json',
    '"start_timestamp_millis":',
    '7770,"end_timestamp_millis":21830',
    'audio_segments[1].start_timestamp_millis: -7.77',
  ],
  ['amazon-rekognition-faces.json', '"Timestamp": ', '500', 'Faces[2].Timestamp: -0.5'],
  ['amazon-rekognition-search.json', '"Timestamp": ', '500', 'Persons[1].Timestamp: -0.5'],
  ['amazon-transcribe.json', '"start_time":"', '6.3"', 'start_time: -6.3'],
  ['assemblyai.json', 'Ada Quill.",\n   "start": ', '500', 'utterances[0].start: -0.5'],
  ['bbc-kaldi.json', '"start":', '9.1,', 'segmentation.segments[1].start: -9.1'],
  ['deepgram.json', '"start": ', '3.2,', 'results.channels[0].alternatives[0].words[6].start: -3.2'],
  ['google-speech-v2.json', '"startOffset": "', '3.2s"', 'results[1].alternatives[0].words[0].startOffset: -3.2'],
  ['google-speech.json', '"seconds":"', '12"', 'results[0].alternatives[0].words[0].startTime: seconds -12'],
  [
    'google-video-faces.json',
    '"',
    '11.04s"',
    'response.annotationResults[0].faceDetectionAnnotations[0].tracks[1].segment.startTimeOffset: -11.04',
  ],
  ['pyannote-annotation.json', '"start": ', '3.2', 'content[1].segment.start: -3.2'],
  ['pyannote-identification.json', '"start": ', '3.2', 'output.identification[1].start: -3.2'],
  ['pyannote-job.json', '"start": ', '3.2', 'output.diarization[1].start: -3.2'],
  ['pyannote-turns.json', '"start": ', '3.2', 'diarization[1].start: -3.2'],
  ['rev.json', '"ts":', '0.54', 'monologues[0].elements[3].ts: -0.54'],
  ['speechmatics-two-speakers.json', '"start_time":', '1.559', 'results[1].start_time: -1.559'],
  ['speechmatics-v1.json', '"time":"', '13.23"', 'words[1].time: -13.23'],
  ['speechmatics.json', '"start_time":', '1.83', 'results[1].start_time: -1.83'],
  ['whisperx.json', '"start": ', '3.2,', 'segments[1].start: -3.2'],
];

/** A time that is written with colons, and duplicate ids in each format with ids. */
export const breaks: ReadonlyArray<Break> = [
  [
    'azure-video-indexer.json',
    '"start": "0:00:11.000"',
    '"start": "-0:00:11.000"',
    /^videos\[0\]\.insights\.faces\[0\]\.instances\[1\]\.start: "-0:00:11.000" is not a time/,
  ],
  ['amazon-call-analytics.json', '"Id": "turn-1"', '"Id": "turn-0"', /^Transcript\[1\]\.Id: duplicate id "turn-0"$/],
  [
    'amazon-data-automation.json',
    '"segment_index":1,',
    '"segment_index":0,',
    /^audio_segments\[1\]\.segment_index: duplicate id 0$/,
  ],
  [
    'amazon-rekognition-search.json',
    '"Timestamp": 500',
    '"Timestamp": 0',
    /^Persons\[1\]\.Person\.Index: person 0 occurs twice at 0 s$/,
  ],
  [
    'azure-video-indexer.json',
    '"id": 1001',
    '"id": 1000',
    /^videos\[0\]\.insights\.faces\[1\]\.id: duplicate id 1000$/,
  ],
  ['bbc-kaldi.json', '"@id":"S1"', '"@id":"S0"', /^segmentation\.speakers\[1\]\.@id: duplicate id "S0"$/],
  [
    'pyannote-annotation.json',
    /"start": 3\.2,\s*"end": 5\.6\s*\},\s*"track": "B"/,
    '"start": 0.5, "end": 2.9 }, "track": "A"',
    /^content\[1\]\.track: duplicate id "0.5 2.9 A"$/,
  ],
  ['rev.json', /^\{/, '{"speakers":[{"id":0},{"id":0}],', /^speakers\[1\]\.id: duplicate id 0$/],
];
