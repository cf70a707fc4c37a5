import * as E from 'fp-ts/lib/Either.js';
import type { JsonFormat } from './document.js';
import { type JsonFormatName, jsonFormatNames } from './format-names.js';
import { type Imported, type ImportError, formatNotRecognised } from './imported.js';
import { amazonCallAnalytics } from './providers/amazon-call-analytics.js';
import { amazonDataAutomation } from './providers/amazon-data-automation.js';
import { rekognitionDetection, rekognitionSearch } from './providers/amazon-rekognition.js';
import { amazonTranscribe } from './providers/amazon-transcribe.js';
import { assemblyAi } from './providers/assemblyai.js';
import { azureVideoIndexer } from './providers/azure-video-indexer.js';
import { bbcKaldi } from './providers/bbc-kaldi.js';
import { deepgram } from './providers/deepgram.js';
import { googleFaces, googleFacesOperation } from './providers/google-faces.js';
import { googleSpeech, googleSpeechOperation } from './providers/google-speech.js';
import { googleSpeechBatch, googleSpeechBatchOperation } from './providers/google-speech-batch.js';
import { pyannoteAnnotation, pyannoteJob, pyannoteTurns } from './providers/pyannote-json.js';
import { rev } from './providers/rev.js';
import { speechmatics, speechmaticsV1 } from './providers/speechmatics.js';
import { whisperx } from './providers/whisperx.js';

/** The variants of each format. */
const jsonFormats: Readonly<Record<JsonFormatName, readonly [JsonFormat, ...JsonFormat[]]>> = {
  pyannote_json: [pyannoteJob, pyannoteAnnotation, pyannoteTurns],
  amazon_transcribe: [amazonTranscribe],
  amazon_call_analytics: [amazonCallAnalytics],
  amazon_data_automation: [amazonDataAutomation],
  amazon_rekognition_faces: [rekognitionDetection],
  amazon_rekognition_search: [rekognitionSearch],
  azure_video_indexer: [azureVideoIndexer],
  google_video_faces: [googleFaces, googleFacesOperation],
  deepgram: [deepgram],
  rev: [rev],
  assemblyai: [assemblyAi],
  speechmatics: [speechmatics, speechmaticsV1],
  google_speech: [googleSpeech, googleSpeechOperation, googleSpeechBatch, googleSpeechBatchOperation],
  bbc_kaldi: [bbcKaldi],
  whisperx: [whisperx],
};

/** The variant of a document, among all formats or of the wanted one; null if it is not recognised. */
const findJsonFormat = (
  json: unknown,
  wanted: JsonFormatName | null,
): { readonly name: JsonFormatName; readonly format: JsonFormat } | null => {
  for (const name of wanted === null ? jsonFormatNames : [wanted]) {
    const variants = jsonFormats[name];
    const format = variants.find(({ recognises }) => recognises(json)) ?? (wanted === null ? undefined : variants[0]);
    if (format !== undefined) return { name, format };
  }
  return null;
};

/** The result of reading a JSON document. */
export interface JsonDocument {
  readonly format: JsonFormatName;
  readonly imported: Imported;
  /** The pages, if other files may contain more pages of the same result. */
  readonly paged?: { readonly format: JsonFormatName; readonly pages: ReadonlyArray<unknown> };
}

/** Reads a document in the wanted format, or in the format that it is recognised as. */
export const readJson = (json: unknown, wanted: JsonFormatName | null): E.Either<ImportError, JsonDocument> => {
  const found = findJsonFormat(json, wanted);
  if (found === null) return E.left(formatNotRecognised);
  const { name, format } = found;
  const paged = format.pages === undefined ? {} : { paged: { format: name, pages: format.pages(json) } };
  return E.map((imported: Imported): JsonDocument => ({ format: name, imported, ...paged }))(format.read(json));
};
