import * as E from 'fp-ts/lib/Either.js';
import type { DocumentFault, DocumentRequest, UnderstoodDocument } from '../../application/ports/provider-documents.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import { understanding } from './import-text.js';
import { type ImportError, quoted } from './imported.js';
import { importFormats, isSupplied } from './format-names.js';
import { type ReadDocument, readDocument } from './read-document.js';

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
export const readProviderDocument = (
  bytes: Uint8Array,
  request: DocumentRequest,
): E.Either<DocumentFault, UnderstoodDocument> => {
  const format = importFormats.find((name) => name === request.format);
  const { recordings, fps } = request;
  const read = readDocument([bytes], { format, recordings, fps: fps ?? undefined, maxBytes: maxLength });
  return E.bimap(faultOf, (document: ReadDocument) => bodiesOf(document, request))(read);
};
