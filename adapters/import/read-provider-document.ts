import * as E from 'fp-ts/lib/Either.js';
import type {
  DocumentFault,
  DocumentRequest,
  UnderstoodDocument,
  Understanding,
} from '../../application/ports/provider-documents.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import type { CombiningFault, ImportContent } from './combine-files.js';
import { understanding } from './import-text.js';
import { type FileError, type ImportError, quoted } from './imported.js';
import { importFormats, isSupplied } from './format-names.js';
import { type ReadDocument, readDocument } from './read-document.js';
import { type SeveralRead, filesIn, readSeveral } from './several-files.js';

/** A JSON document needs about ten times its length while it is read, and so may a line of text. */
const maxLength = 32 * 1024 * 1024;

const faultOf = ({ line, path = '', message }: ImportError): DocumentFault => ({
  _tag: 'UnreadableDocument',
  path: line === null ? quoted(path) : `line ${line}`,
  message: quoted(message),
});

const bytesOf = (body: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(body));

/** An error in one of several files, or about their combination. */
const faultAmong = (error: FileError | CombiningFault): DocumentFault =>
  'kind' in error
    ? { _tag: 'UnreadableDocument', path: '', message: quoted(error.message) }
    : { ...faultOf(error), path: quoted([error.file, faultOf(error).path].filter((part) => part !== '').join(', ')) };

type Content = Pick<ImportContent, 'faces' | 'speech' | 'provider_supplied'>;

const bodiesOf = ({ faces, speech, provider_supplied }: Content, understood: Understanding): UnderstoodDocument => ({
  video: faces === null ? null : bytesOf(videoAnalysis(faces)),
  audio: speech === null ? null : bytesOf(audioAnalysis(speech, provider_supplied)),
  understood,
});

/** Reads a document that was sent to the service, and returns the bodies of the analyses in it. */
export const readProviderDocument = (
  bytes: Uint8Array,
  request: DocumentRequest,
): E.Either<DocumentFault, UnderstoodDocument> => {
  const format = importFormats.find((name) => name === request.format);
  const { recordings, fps, provider_supplied } = request;
  const options = { recordings, fps: fps ?? undefined, maxBytes: maxLength };
  const several = format === undefined ? filesIn(bytes) : null;
  if (several !== null)
    return E.bimap(faultAmong, ({ content, understood }: SeveralRead) => bodiesOf(content, understood))(
      readSeveral(several, options, provider_supplied),
    );
  return E.bimap(faultOf, (document: ReadDocument) =>
    bodiesOf(
      { ...document.imported, provider_supplied: provider_supplied ?? isSupplied(document.format) },
      understanding(document),
    ),
  )(readDocument([bytes], { ...options, format }));
};
