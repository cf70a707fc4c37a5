import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type DocumentParts, jsonFormat } from '../document.js';
import { inBothNamings } from '../google-names.js';
import type { ImportError } from '../imported.js';
import { errorIn, valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { ProtoDuration } from '../times.js';

const Word = t.intersection([
  t.type({ word: t.string }),
  t.partial({
    speakerTag: t.Int,
    speakerLabel: t.string,
    startTime: ProtoDuration,
    endTime: ProtoDuration,
    startOffset: ProtoDuration,
    endOffset: ProtoDuration,
  }),
]);
type Word = t.TypeOf<typeof Word>;
const Result = t.partial({
  alternatives: t.readonlyArray(t.partial({ words: t.readonlyArray(Word) })),
});
/** The response of both API versions. */
export const GoogleSpeechResponse = t.type({ results: t.readonlyArray(Result) });

const labelOf = ({ speakerLabel = '', speakerTag }: Word): string | null => {
  if (speakerLabel !== '') return speakerLabel;
  return speakerTag !== undefined && speakerTag > 0 ? String(speakerTag) : null;
};

/** API v2 calls the times offsets. Absent times are 0, so the larger value is the one that is present. */
const spokenOf = (word: Word, place: string): Spoken => ({
  speaker: labelOf(word),
  start: Math.max(word.startTime ?? 0, word.startOffset ?? 0),
  end: Math.max(word.endTime ?? 0, word.endOffset ?? 0),
  text: word.word,
  place,
});

const isTagged = (words: ReadonlyArray<Spoken>): boolean => words.some(({ speaker }) => speaker !== null);

/**
 * With diarisation, API v1 repeats all words with speaker tags in its last result: if any word has a speaker, results
 * without speakers are dropped. API v2 repeats nothing.
 */
export const readGoogleSpeech = (
  path: string,
  { results }: t.TypeOf<typeof GoogleSpeechResponse>,
): E.Either<ImportError, DocumentParts> => {
  const dropped = new Tally();
  const spoken = results.map(({ alternatives = [] }, index) =>
    (alternatives[0]?.words ?? []).map((word, at) =>
      spokenOf(word, `${path}results[${index}].alternatives[0].words[${at}]`),
    ),
  );
  if (spoken.flat().length > 1 && spoken.flat().every(({ end }) => end === 0))
    return errorIn(`${path}results`, 'the words have no times; request word time offsets from Google');
  const repeats = !results.some(({ alternatives = [] }) =>
    alternatives[0]?.words?.some(({ endOffset = 0 }) => endOffset > 0),
  );
  const tagged = repeats ? spoken.filter(isTagged) : [];
  const repeated = tagged.length === 0 ? 0 : spoken.flat().length - tagged.flat().length;
  dropped.add('word without a speaker, repeated with one', repeated);
  const words = tagged.length === 0 ? spoken.flat() : tagged.flat();
  return E.right({ rows: results.length, speech: { grain: 'word', spoken: words }, dropped });
};

const looksRight = (results: unknown): boolean =>
  Array.isArray(results) &&
  results.some((result) => Array.isArray(valueAt(result, 'alternatives')) && valueAt(result, 'type') === undefined);

/** The Python clients write `start_time` (v1) and `start_offset` (v2), `end_…`, and `speaker_…`. */
const isSnake = (results: unknown): boolean => {
  const alternatives: ReadonlyArray<unknown> = Array.isArray(results)
    ? results.map((result) => valueAt(result, 'alternatives', 0))
    : [];
  const words = alternatives.map((alternative) => valueAt(alternative, 'words'));
  return words.some(
    (list) =>
      Array.isArray(list) &&
      list.some(
        (word: unknown) =>
          typeof word === 'object' && word !== null && Object.keys(word).some((key) => key.includes('_')),
      ),
  );
};

/** Google Speech-to-Text, v1 and v2, with speaker diarisation: words, times as `"12.900s"` or in parts. */
export const googleSpeech = inBothNamings(
  jsonFormat(
    (json) => looksRight(valueAt(json, 'results')),
    GoogleSpeechResponse,
    (response) => readGoogleSpeech('', response),
  ),
  (json) => isSnake(valueAt(json, 'results')),
);

/** The same inside a finished operation. */
export const googleSpeechOperation = inBothNamings(
  jsonFormat(
    (json) => looksRight(valueAt(json, 'response', 'results')),
    t.type({ response: GoogleSpeechResponse }, 'GoogleOperation'),
    ({ response }) => readGoogleSpeech('response.', response),
  ),
  (json) => isSnake(valueAt(json, 'response', 'results')),
);
