import * as E from 'fp-ts/lib/Either.js';
import type { DocumentFault, DocumentRequest, UnderstoodDocument } from '../../application/ports/provider-documents.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import { understanding } from './import-text.js';
import { type ImportError, quoted } from './imported.js';
import { isSupplied } from './combine-files.js';
import { type ReadDocument, readImportChunks } from './read-file.js';
import { importFormats } from './format-names.js';

/** A JSON document needs about ten times its length while it is read, and so may a line of text. */
const maxLength = 32 * 1024 * 1024;

const faultOf = ({ line, path = '', message }: ImportError): DocumentFault => ({
  _tag: 'UnreadableDocument',
  path: line === null ? quoted(path) : `line ${line}`,
  message: quoted(message),
});

const bytesOf = (body: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(body));

const bodiesOf = (read: ReadDocument, { provider_supplied }: DocumentRequest): UnderstoodDocument => {
  const { faces, speech } = read.imported;
  return {
    video: faces === null ? null : bytesOf(videoAnalysis(faces)),
    audio: speech === null ? null : bytesOf(audioAnalysis(speech, provider_supplied ?? isSupplied(read.format))),
    understood: understanding(read),
  };
};

/** Reads a document that was sent to the service, and returns the bodies of the analyses in it. */
export const readProviderDocument = async (
  chunks: AsyncIterable<Uint8Array>,
  request: DocumentRequest,
): Promise<E.Either<DocumentFault, UnderstoodDocument>> => {
  const format = importFormats.find((name) => name === request.format);
  const { recordings } = request;
  const read = await readImportChunks(chunks, {
    format,
    recordings,
    maxLineBytes: maxLength,
    maxJsonLength: maxLength,
  });
  return E.bimap(faultOf, (document: ReadDocument) => bodiesOf(document, request))(read);
};
