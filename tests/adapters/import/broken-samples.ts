/** How to break a sample: the replaced text, the replacement, and the expected error. */
export interface Break {
  readonly sample: string;
  readonly from: string | RegExp;
  readonly to: string;
  readonly error: RegExp;
}

/** A negative time, at a known place of each format. */
export const negativeTimes: ReadonlyArray<Break> = [
  {
    sample: 'amazon-call-analytics.json',
    from: /"BeginOffsetMillis": 3200/,
    to: '"BeginOffsetMillis": -3200',
    error: /^Transcript\[1\]\.BeginOffsetMillis: -3.2 is negative/,
  },
  {
    sample: 'amazon-data-automation.json',
    from: '"start_timestamp_millis":7770,"end_timestamp_millis":21830',
    to: '"start_timestamp_millis":-7770,"end_timestamp_millis":21830',
    error: /^audio_segments\[1\]\.start_timestamp_millis: -7.77 is negative/,
  },
  {
    sample: 'amazon-rekognition-faces.json',
    from: '"Timestamp": 500',
    to: '"Timestamp": -500',
    error: /^Faces\[2\]\.Timestamp: -0.5 is negative/,
  },
  {
    sample: 'amazon-rekognition-search.json',
    from: '"Timestamp": 500',
    to: '"Timestamp": -500',
    error: /^Persons\[1\]\.Timestamp: -0.5 is negative/,
  },
  {
    sample: 'amazon-transcribe.json',
    from: '"start_time":"6.3"',
    to: '"start_time":"-6.3"',
    error: /start_time: -6.3 is negative/,
  },
  {
    sample: 'assemblyai.json',
    from: /"utterances": \[\s*\{([^{}]*?)"start": 500/,
    to: '"utterances": [{$1"start": -500',
    error: /^utterances\[0\]\.start: -0.5 is negative/,
  },
  {
    sample: 'azure-video-indexer.json',
    from: '"start": "0:00:11.000"',
    to: '"start": "-0:00:11.000"',
    error: /^videos\[0\]\.insights\.faces\[0\]\.instances\[1\]\.start: "-0:00:11.000" is not a time/,
  },
  {
    sample: 'bbc-kaldi.json',
    from: '"start":9.1,',
    to: '"start":-9.1,',
    error: /^segmentation\.segments\[1\]\.start: -9.1 is negative/,
  },
  {
    sample: 'deepgram.json',
    from: '"start": 3.2,',
    to: '"start": -3.2,',
    error: /^results\.channels\[0\]\.alternatives\[0\]\.words\[6\]\.start: -3.2 is negative/,
  },
  {
    sample: 'google-speech-v2.json',
    from: '"startOffset": "3.2s"',
    to: '"startOffset": "-3.2s"',
    error: /^results\[1\]\.alternatives\[0\]\.words\[0\]\.startOffset: -3.2 is negative/,
  },
  {
    sample: 'google-speech.json',
    from: '"seconds":"12"',
    to: '"seconds":"-12"',
    error: /^results\[0\]\.alternatives\[0\]\.words\[0\]\.startTime: seconds -12 is negative/,
  },
  {
    sample: 'google-video-faces.json',
    from: '"11.04s"',
    to: '"-11.04s"',
    error:
      /^response\.annotationResults\[0\]\.faceDetectionAnnotations\[0\]\.tracks\[1\]\.segment\.startTimeOffset: -11.04 is negative/,
  },
  {
    sample: 'pyannote-annotation.json',
    from: '"start": 3.2',
    to: '"start": -3.2',
    error: /^content\[1\]\.segment\.start: -3.2 is negative/,
  },
  {
    sample: 'pyannote-identification.json',
    from: '"start": 3.2',
    to: '"start": -3.2',
    error: /^output\.identification\[1\]\.start: -3.2 is negative/,
  },
  {
    sample: 'pyannote-job.json',
    from: '"start": 3.2',
    to: '"start": -3.2',
    error: /^output\.diarization\[1\]\.start: -3.2 is negative/,
  },
  {
    sample: 'pyannote-turns.json',
    from: '"start": 3.2',
    to: '"start": -3.2',
    error: /^diarization\[1\]\.start: -3.2 is negative/,
  },
  {
    sample: 'rev.json',
    from: '"ts":0.54',
    to: '"ts":-0.54',
    error: /^monologues\[0\]\.elements\[3\]\.ts: -0.54 is negative/,
  },
  {
    sample: 'speechmatics-two-speakers.json',
    from: '"start_time":1.559',
    to: '"start_time":-1.559',
    error: /^results\[1\]\.start_time: -1.559\d* is negative/,
  },
  {
    sample: 'speechmatics-v1.json',
    from: '"time":"13.23"',
    to: '"time":"-13.23"',
    error: /^words\[1\]\.time: -13.23 is negative/,
  },
  {
    sample: 'speechmatics.json',
    from: '"start_time":1.83',
    to: '"start_time":-1.83',
    error: /^results\[1\]\.start_time: -1.83 is negative/,
  },
  {
    sample: 'whisperx.json',
    from: /"start": 3\.2,/,
    to: '"start": -3.2,',
    error: /^segments\[1\]\.start: -3.2 is negative/,
  },
];

/** Duplicate ids in each format with ids. */
export const duplicates: ReadonlyArray<Break> = [
  {
    sample: 'amazon-call-analytics.json',
    from: '"Id": "turn-1"',
    to: '"Id": "turn-0"',
    error: /^Transcript\[1\]\.Id: duplicate id "turn-0"$/,
  },
  {
    sample: 'amazon-data-automation.json',
    from: '"segment_index":1,',
    to: '"segment_index":0,',
    error: /^audio_segments\[1\]\.segment_index: duplicate id 0$/,
  },
  {
    sample: 'amazon-rekognition-search.json',
    from: '"Timestamp": 500',
    to: '"Timestamp": 0',
    error: /^Persons\[1\]\.Person\.Index: person 0 occurs twice at 0 s$/,
  },
  {
    sample: 'azure-video-indexer.json',
    from: '"id": 1001',
    to: '"id": 1000',
    error: /^videos\[0\]\.insights\.faces\[1\]\.id: duplicate id 1000$/,
  },
  {
    sample: 'bbc-kaldi.json',
    from: '"@id":"S1"',
    to: '"@id":"S0"',
    error: /^segmentation\.speakers\[1\]\.@id: duplicate id "S0"$/,
  },
  {
    sample: 'pyannote-annotation.json',
    from: /"start": 3\.2,\s*"end": 5\.6\s*\},\s*"track": "B"/,
    to: '"start": 0.5, "end": 2.9 }, "track": "A"',
    error: /^content\[1\]\.track: duplicate id "0.5 2.9 A"$/,
  },
  {
    sample: 'rev.json',
    from: /^\{/,
    to: '{"speakers":[{"id":0},{"id":0}],',
    error: /^speakers\[1\]\.id: duplicate id 0$/,
  },
];
