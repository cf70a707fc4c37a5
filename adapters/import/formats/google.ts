import * as t from 'io-ts';
import {
  type DocumentParts,
  type Reading,
  type Spoken,
  type Tally,
  refuse,
  type FaceParts,
  type FaceBox,
} from '../format.js';
import { decodeDocument, has, hasAny, jsonFormat, listAt, object, valueAt } from '../json-format.js';
import { ProtoDuration } from '../times.js';

const snake = /^[a-z]+(?:_[a-z0-9]+)+$/;

const toCamel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const isSnake = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  (Array.isArray(json)
    ? json.some(isSnake)
    : Object.entries(json).some(([name, value]) => snake.test(name) || isSnake(value)));

const camelCased = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(camelCased);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [snake.test(name) ? toCamel(name) : name, camelCased(value)]),
  );
};

/**
 * Reads a response of Google, which may be inside a finished operation, in either naming: `startTime` as in the REST API,
 * `start_time` as in its Python clients. `path`: where the fields of the response are, with a dot at the end.
 */
const readGoogle = (document: unknown, read: (path: string, response: unknown) => DocumentParts): DocumentParts => {
  const json = isSnake(document) ? camelCased(document) : document;
  const inner = valueAt(json, 'response');
  return inner === undefined ? read('', json) : read('response.', inner);
};

const Word = object(
  {
    word: t.string,
    startTime: ProtoDuration,
    endTime: ProtoDuration,
    startOffset: ProtoDuration,
    endOffset: ProtoDuration,
  },
  { speakerTag: t.number, speakerLabel: t.string },
);
type Word = t.TypeOf<typeof Word>;
const Result = object(
  { resultEndTime: ProtoDuration, resultEndOffset: ProtoDuration },
  {
    alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(Word) })),
    channelTag: t.number,
    isFinal: t.boolean,
  },
);
type Result = t.TypeOf<typeof Result>;
const Response = t.type({ results: t.readonlyArray(Result) });
const BatchFile = t.partial({
  inlineResult: t.partial({ transcript: t.UnknownRecord }),
  transcript: t.UnknownRecord,
  error: t.partial({ message: t.string }),
});
const Batch = t.type({ results: t.record(t.string, BatchFile) });

const labelOf = ({ speakerLabel = '', speakerTag = 0 }: Word): string | null => {
  if (speakerLabel !== '') return speakerLabel;
  return speakerTag > 0 ? String(speakerTag) : null;
};

/** API v2 calls the times offsets. Absent times are 0, so the larger value is the one that is present. */
const wordsOf = ({ alternatives = [], channelTag }: Result, place: string): ReadonlyArray<Spoken> =>
  (alternatives[0]?.words ?? []).map((word) => ({
    speaker: labelOf(word),
    channel: channelTag,
    start: Math.max(word.startTime, word.startOffset),
    end: Math.max(word.endTime, word.endOffset),
    text: word.word,
    place,
  }));

/** Without times of words, a result begins where the one before it in its channel ends. */
const resultsAsUtterances = (results: ReadonlyArray<Result>, path: string): ReadonlyArray<Spoken> => {
  const ends = new Map<number | undefined, number>();
  return results.map((result, index) => {
    const { alternatives = [], channelTag } = result;
    const start = ends.get(channelTag) ?? 0;
    const end = Math.max(result.resultEndTime, result.resultEndOffset);
    ends.set(channelTag, end);
    const text = alternatives[0]?.transcript ?? '';
    return { speaker: null, channel: channelTag, start, end, text, place: `${path}results[${index}]` };
  });
};

/**
 * With diarisation, API v1 repeats all words with speaker tags in its last result: if any word has a speaker, results
 * without speakers are dropped. API v2 repeats nothing.
 */
const withoutRepeated = (
  spoken: ReadonlyArray<ReadonlyArray<Spoken>>,
  results: ReadonlyArray<Result>,
  dropped: Tally,
): ReadonlyArray<Spoken> => {
  const isV2 = results.some(({ alternatives = [] }) => alternatives[0]?.words?.some(({ endOffset }) => endOffset > 0));
  const tagged = isV2 ? [] : spoken.filter((words) => words.some(({ speaker }) => speaker !== null));
  if (tagged.length === 0) return spoken.flat();
  dropped.add('word without a speaker, repeated with one', spoken.flat().length - tagged.flat().length);
  return tagged.flat();
};

const readResponse = (path: string, json: unknown, { dropped, notes }: Reading): DocumentParts => {
  const all = decodeDocument(Response, json, path.slice(0, -1)).results;
  const results = all.filter(({ isFinal = true }) => isFinal);
  const rows = results.length;
  dropped.add('interim result', all.length - rows);
  const spoken = results.map((result, index) => wordsOf(result, `${path}results[${index}]`));
  if (spoken.flat().some(({ end }) => end > 0) || spoken.flat().length === 1) {
    const unread = results.filter(
      ({ alternatives = [] }, index) => alternatives[0]?.transcript && !spoken[index]?.length,
    );
    dropped.add('result without words', unread.length);
    return { rows, words: withoutRepeated(spoken, results, dropped) };
  }
  const missing = 'the words have no times; request word time offsets from Google';
  const utterances = resultsAsUtterances(results, path);
  if (utterances.length > 0 && utterances.every(({ end }) => end === 0)) refuse(`${path}results`, missing);
  notes.add('result without word times: it begins where the one before it ends', utterances.length);
  return { rows, utterances, missing: `no words: ${missing}` };
};

/** API v2's batch recognition: a transcript for each recording, by its URI; `transcript` alone is the older form. */
const readBatch = (path: string, json: unknown, reading: Reading): DocumentParts => {
  const files = Object.entries(decodeDocument(Batch, json, path.slice(0, -1)).results);
  const [file] = files;
  if (file === undefined || files.length > 1)
    return refuse(`${path}results`, `${files.length} recordings; only one can be imported at a time`);
  const [uri, { inlineResult, transcript, error }] = file;
  if (error?.message) refuse(`${path}results.${uri}.error`, `Google refused the recording: ${error.message}`);
  const inline = inlineResult?.transcript;
  const inner =
    inline ??
    transcript ??
    refuse(`${path}results.${uri}`, 'has no inline transcript: the transcript is in cloud storage');
  const place = `${path}results.${uri}.${inline === undefined ? 'transcript' : 'inlineResult.transcript'}.`;
  return { ...readResponse(place, inner, reading), recording: uri };
};

const isResult = (result: unknown): boolean =>
  has(result, 'alternatives[]') && !hasAny(result, 'type', 'final', 'alternatives[].timestamps');

/** What API v2's batch recognition has for a recording, in either naming. */
const ofFiles = ['inlineResult', 'inline_result', 'cloudStorageResult', 'cloud_storage_result'];

const isBatch = (results: unknown): boolean =>
  typeof results === 'object' &&
  results !== null &&
  Object.values(results).some((file: unknown) => hasAny(file, ...ofFiles, 'transcript.results'));

/**
 * Google Speech-to-Text, v1 and v2: words, times as `"12.900s"` or in parts, or whole results; as a response, inside a
 * finished operation, and as the inline result of a batch (cloud.google.com/speech-to-text, "RecognizeResponse").
 */
export const googleSpeech = jsonFormat({
  name: 'google_speech',
  recognises: (json) =>
    [json, valueAt(json, 'response')].some((response) => {
      const results = valueAt(response, 'results');
      return Array.isArray(results) ? listAt(results).some(isResult) : isBatch(results);
    }),
  codec: t.unknown,
  read: (document, reading) =>
    readGoogle(document, (path, response) => {
      const results = valueAt(response, 'results');
      const readResults = isBatch(results) && !Array.isArray(results) ? readBatch : readResponse;
      return readResults(path, response, reading);
    }),
});

const Segment = t.type({ startTimeOffset: ProtoDuration, endTimeOffset: ProtoDuration });
/** A side that is absent is at 0, as in all Protobuf JSON. */
const Sides = t.partial({ left: t.number, top: t.number, right: t.number, bottom: t.number });
const Seen = object({ timeOffset: ProtoDuration }, { normalizedBoundingBox: Sides });
const Track = object({ segment: Segment }, { timestampedObjects: t.readonlyArray(Seen) });
const Annotation = t.partial({ tracks: t.readonlyArray(Track) });
const FaceResult = t.partial({
  inputUri: t.string,
  faceDetectionAnnotations: t.readonlyArray(Annotation),
  error: t.partial({ message: t.string }),
});
const FaceResponse = t.type({ annotationResults: t.readonlyArray(FaceResult) });

const boxesOf = ({ timestampedObjects = [] }: t.TypeOf<typeof Track>): ReadonlyArray<FaceBox> =>
  timestampedObjects.flatMap(({ timeOffset, normalizedBoundingBox }) => {
    if (normalizedBoundingBox === undefined) return [];
    const { left = 0, top = 0, right = 0, bottom = 0 } = normalizedBoundingBox;
    return [{ at: timeOffset, left, top, width: right - left, height: bottom - top }];
  });

const readFaceResponse = (path: string, json: unknown) => {
  const { annotationResults } = decodeDocument(FaceResponse, json, path.slice(0, -1));
  const uris = new Set(annotationResults.flatMap(({ inputUri }) => inputUri ?? []));
  if (uris.size > 1) refuse(`${path}annotationResults`, 'the results are of more than one video');
  for (const [at, { error }] of annotationResults.entries())
    if (error?.message !== undefined && error.message !== '')
      refuse(`${path}annotationResults[${at}].error`, `Google refused the video: ${error.message}`);
  const annotations = annotationResults.flatMap(({ faceDetectionAnnotations = [] }) => faceDetectionAnnotations);
  const faces = annotations.map(({ tracks = [] }, index): FaceParts => {
    const visible = tracks.map(({ segment }) => ({ start: segment.startTimeOffset, end: segment.endTimeOffset }));
    return { key: String(index).padStart(6, '0'), visible, boxes: tracks.flatMap(boxesOf) };
  });
  return { recording: [...uris][0], rows: faces.length, faces };
};

/**
 * Google Video Intelligence, `FACE_DETECTION`: each annotation is a face with its tracks, times as `"12.900s"`; as a
 * response or inside a finished operation (cloud.google.com/video-intelligence, "Face detection").
 */
export const googleVideoFaces = jsonFormat({
  name: 'google_video_faces',
  own: ['', 'response.'].flatMap((path) => [`${path}annotationResults[]`, `${path}annotation_results[]`]),
  codec: t.unknown,
  read: (document) => readGoogle(document, readFaceResponse),
});
