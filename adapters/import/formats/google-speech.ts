import * as t from 'io-ts';
import { ProtoDuration } from '../codecs.js';
import type { DocumentParts, JsonFormat } from '../format.js';
import { inBothNamings } from '../google-names.js';
import { refuse } from '../imported.js';
import { decodeDocument, listAt, valueAt } from '../json.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

const Word = t.intersection([
  t.type({
    word: t.string,
    startTime: ProtoDuration,
    endTime: ProtoDuration,
    startOffset: ProtoDuration,
    endOffset: ProtoDuration,
  }),
  t.partial({ speakerTag: t.number, speakerLabel: t.string }),
]);
type Word = t.TypeOf<typeof Word>;
const Result = t.intersection([
  t.type({ resultEndTime: ProtoDuration, resultEndOffset: ProtoDuration }),
  t.partial({
    alternatives: t.readonlyArray(t.partial({ transcript: t.string, words: t.readonlyArray(Word) })),
    channelTag: t.number,
    isFinal: t.boolean,
  }),
]);
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

const readResponse = (path: string, json: unknown): DocumentParts => {
  const all = decodeDocument(Response, json, path.slice(0, -1)).results;
  const dropped = new Tally();
  const results = all.filter(({ isFinal = true }) => isFinal);
  dropped.add('interim result', all.length - results.length);
  const spoken = results.map((result, index) => wordsOf(result, `${path}results[${index}]`));
  const timed = spoken.flat().some(({ end }) => end > 0) || spoken.flat().length === 1;
  if (timed) {
    const unread = results.filter(
      ({ alternatives = [] }, index) => alternatives[0]?.transcript && !spoken[index]?.length,
    );
    dropped.add('result without words', unread.length);
    const speech = { grain: 'word', spoken: withoutRepeated(spoken, results, dropped) } as const;
    return { rows: results.length, speech, dropped };
  }
  const missing = 'the words have no times; request word time offsets from Google';
  const utterances = resultsAsUtterances(results, path);
  if (utterances.length > 0 && utterances.every(({ end }) => end === 0)) refuse(`${path}results`, missing);
  const notes = new Tally();
  notes.add('result without word times: it begins where the one before it ends', utterances.length);
  return {
    rows: results.length,
    speech: { grain: 'utterance', spoken: utterances, missing: `no words: ${missing}` },
    dropped,
    notes,
  };
};

/** API v2's batch recognition: a transcript for each recording, by its URI; `transcript` alone is the older form. */
const readBatch = (path: string, json: unknown): DocumentParts => {
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
  return { ...readResponse(place, inner), recording: uri };
};

const isResult = (result: unknown): boolean =>
  Array.isArray(valueAt(result, 'alternatives')) &&
  ['type', 'final'].every((foreign) => valueAt(result, foreign) === undefined) &&
  valueAt(result, 'alternatives', 0, 'timestamps') === undefined;

const isBatch = (results: unknown): boolean =>
  typeof results === 'object' &&
  results !== null &&
  Object.values(results).some(
    (file: unknown) =>
      ['inlineResult', 'inline_result', 'cloudStorageResult', 'cloud_storage_result'].some(
        (name) => valueAt(file, name) !== undefined,
      ) || valueAt(file, 'transcript', 'results') !== undefined,
  );

/**
 * Google Speech-to-Text, v1 and v2: words, times as `"12.900s"` or in parts, or whole results; as a response, inside a
 * finished operation, and as the inline result of a batch (cloud.google.com/speech-to-text, "RecognizeResponse").
 */
export const googleSpeech: JsonFormat = {
  name: 'google_speech',
  reads: 'json',
  recognises: (json) =>
    [json, valueAt(json, 'response')].some((response) => {
      const results = valueAt(response, 'results');
      return Array.isArray(results) ? listAt(results).some(isResult) : isBatch(results);
    }),
  read: (document) =>
    inBothNamings(document, (json) => {
      const inner = valueAt(json, 'response');
      const [path, response] = inner === undefined ? ['', json] : ['response.', inner];
      return isBatch(valueAt(response, 'results')) && !Array.isArray(valueAt(response, 'results'))
        ? readBatch(path, response)
        : readResponse(path, response);
    }),
};
