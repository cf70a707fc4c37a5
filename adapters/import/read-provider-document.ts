import * as E from 'fp-ts/lib/Either.js';
import type { DocumentFault, DocumentRequest, UnderstoodDocument } from '../../application/ports/provider-documents.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import { understanding } from './import-text.js';
import type { ImportError } from './imported.js';
import { isSupplied } from './pack-files.js';
import { type ReadDocument, readImportBytes } from './read-file.js';
import { importFormats } from './recognise-format.js';

/** A document as it goes to a worker thread. */
export interface DocumentTask {
  readonly bytes: Uint8Array;
  readonly request: DocumentRequest;
}

const faultOf = ({ line, path = '', message }: ImportError): DocumentFault => ({
  _tag: 'UnreadableDocument',
  path: line === null ? path : `line ${line}`,
  message,
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

/** What a worker thread runs: the readers of the import command. */
export default async function readProviderDocument({
  bytes,
  request,
}: DocumentTask): Promise<E.Either<DocumentFault, UnderstoodDocument>> {
  const format = importFormats.find((name) => name === request.format);
  const read = await readImportBytes(bytes, { format, recordings: request.recordings });
  return E.bimap(faultOf, (document: ReadDocument) => bodiesOf(document, request))(read);
}
