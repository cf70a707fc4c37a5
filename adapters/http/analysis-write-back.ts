import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentRequest, ProviderDocuments } from '../../application/ports/provider-documents.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import type { BodyReader } from './bodies/body-reader.js';
import { type ReceivedBody, bodyOf } from './bodies/received-body.js';
import { malformed } from './decode.js';
import { type Call, type Endpoint, type Visit, analysisBody } from './endpoint.js';
import { type BadQuery, type Query, flag } from './query.js';
import type { Refusal } from './refusals.js';

/** A body as the endpoint takes it, and, when it was a provider's document, how that was understood. */
interface Received {
  readonly sent: ReceivedBody;
  readonly understood: object | null;
}

const automatic = 'auto';

const bad = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

/** `format`, `recording` and `provider_supplied`. */
const documentRequest = (query: Query, formats: ReadonlyArray<string>): E.Either<BadQuery, DocumentRequest> => {
  const { format = automatic, recording } = query;
  if (format !== automatic && !formats.includes(format))
    return bad('format', `must be ${automatic} or one of ${formats.join(', ')}`);
  return pipe(
    flag(query, 'provider_supplied'),
    E.map((provider_supplied) => ({
      format: format === automatic ? null : format,
      recordings: recording === undefined ? [] : [recording],
      provider_supplied,
    })),
  );
};

const readDocument = (
  documents: ProviderDocuments,
  half: 'video' | 'audio',
  query: Query,
  document: ReceivedBody,
): TE.TaskEither<Refusal, Received> =>
  pipe(
    TE.fromEither<Refusal, DocumentRequest>(documentRequest(query, documents.formats)),
    TE.chain((request) =>
      pipe(
        documents.read(document, request),
        TE.mapLeft((fault): Refusal => {
          if (fault._tag === 'DocumentReaderFailed') return fault;
          const { path, message } = fault;
          return malformed(path === '' ? message : `${path}: ${message}`, [{ path, message }]);
        }),
      ),
    ),
    TE.chain((read) => {
      const body = read[half];
      return body === null
        ? TE.left<Refusal>(malformed(`The document holds no ${half === 'video' ? 'faces' : 'speech'}`))
        : TE.right({ sent: bodyOf(body), understood: read.understood });
    }),
  );

/**
 * PUT of an analysis. The body is the contract's JSON; with `?format=` it is a document as a provider writes it,
 * read by the same readers as the import command's, and the answer also says what was understood.
 */
export const analysisWriteBack = <Found, Body extends { readonly status: ProcessingStatus }>(
  half: 'video' | 'audio',
  path: string,
  reader: BodyReader<Body>,
  documents: ProviderDocuments,
  find: (visit: Visit) => TE.TaskEither<Refusal, Found>,
  record: (call: Call, found: Found, body: Body) => TE.TaskEither<Refusal, void>,
): Endpoint => ({
  method: 'put',
  path,
  query: [],
  bodyLimit: analysisBody,
  body: reader.codec,
  serve: (visit, enclosed) =>
    pipe(
      find(visit),
      TE.bindTo('found'),
      TE.bind('received', () =>
        pipe(
          enclosed.body,
          TE.chainW((sent): TE.TaskEither<Refusal, Received> =>
            visit.query['format'] === undefined
              ? TE.right({ sent, understood: null })
              : readDocument(documents, half, visit.query, sent),
          ),
        ),
      ),
      TE.bind('body', ({ received: { sent } }): TE.TaskEither<Refusal, Body> => enclosed.read(reader, sent)),
      TE.bind('request', () => enclosed.admit),
      TE.chainFirst(({ found, body, request }) => record({ ...visit, request }, found, body)),
      TE.map(({ received: { understood }, body: { status } }) => ({
        body: understood === null ? { status } : { status, understood },
      })),
    ),
});
