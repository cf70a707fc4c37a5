import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type DocumentParts, jsonFormat } from '../document.js';
import type { ImportError } from '../imported.js';
import { errorIn, valueAt } from '../json-document.js';
import { GoogleSpeechResponse, readGoogleSpeech } from './google-speech.js';

const BatchFile = t.partial({
  inlineResult: t.partial({ transcript: GoogleSpeechResponse }),
  transcript: GoogleSpeechResponse,
});
const BatchResults = t.type({ results: t.record(t.string, BatchFile) });

const isBatch = (results: unknown): boolean =>
  typeof results === 'object' &&
  results !== null &&
  !Array.isArray(results) &&
  Object.values(results).some(
    (file: unknown) =>
      valueAt(file, 'inlineResult') !== undefined ||
      valueAt(file, 'cloudStorageResult') !== undefined ||
      valueAt(file, 'transcript', 'results') !== undefined,
  );

/** The transcript of one recording; `transcript` alone is the older form of `inlineResult.transcript`. */
const readBatch = (path: string, { results }: t.TypeOf<typeof BatchResults>): E.Either<ImportError, DocumentParts> => {
  const files = Object.entries(results);
  const [file] = files;
  if (file === undefined || files.length > 1)
    return errorIn(`${path}results`, `${files.length} recordings; only one can be imported at a time`);
  const [uri, { inlineResult, transcript }] = file;
  const [inner, place] =
    inlineResult?.transcript === undefined
      ? [transcript, 'transcript']
      : [inlineResult.transcript, 'inlineResult.transcript'];
  if (inner === undefined)
    return errorIn(`${path}results.${uri}`, 'has no inline transcript: the transcript is in cloud storage');
  return E.map((parts: DocumentParts) => ({ ...parts, recording: uri }))(
    readGoogleSpeech(`${path}results.${uri}.${place}.`, inner),
  );
};

/** API v2's batch recognition with inline results: a transcript for each recording, by its URI. */
export const googleSpeechBatch = jsonFormat(
  (json) => isBatch(valueAt(json, 'results')),
  BatchResults,
  (batch) => readBatch('', batch),
);

/** The same inside a finished operation. */
export const googleSpeechBatchOperation = jsonFormat(
  (json) => isBatch(valueAt(json, 'response', 'results')),
  t.type({ response: BatchResults }, 'GoogleOperation'),
  ({ response }) => readBatch('response.', response),
);
