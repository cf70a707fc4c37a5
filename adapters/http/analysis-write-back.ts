import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentRequest, ProviderDocuments } from '../../application/ports/provider-documents.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import { decodeBody, malformed, parseJson } from './decode.js';
import { type Call, type Endpoint, type Visit, analysisBody } from './endpoint.js';
import { type BadQuery, type Query, flag } from './query.js';
import type { Refusal } from './refusals.js';

/** A body as the endpoint takes it, and, when it was a provider's document, how that was understood. */
interface Received {
  readonly json: unknown;
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
  bytes: Uint8Array,
): TE.TaskEither<Refusal, Received> =>
  pipe(
    TE.fromEither<Refusal, DocumentRequest>(documentRequest(query, documents.formats)),
    TE.chain((request) =>
      pipe(
        documents.read(bytes, request),
        TE.mapLeft((fault): Refusal => {
          if (fault._tag === 'DocumentReaderFailed') return fault;
          const { path, message } = fault;
          return malformed(path === '' ? message : `${path}: ${message}`, [{ path, message }]);
        }),
      ),
    ),
    TE.chain((document) => {
      const json = document[half];
      return json === null
        ? TE.left<Refusal>(malformed(`The document holds no ${half === 'video' ? 'faces' : 'speech'}`))
        : TE.right({ json, understood: document.understood });
    }),
  );

/**
 * PUT of an analysis. The body is the contract's JSON; with `?format=` it is a document as a provider writes it,
 * read by the same readers as the import command's, and the answer also says what was understood.
 */
export const analysisWriteBack = <Found, Body extends { readonly status: ProcessingStatus }>(
  half: 'video' | 'audio',
  path: string,
  codec: t.Type<Body, unknown>,
  documents: ProviderDocuments,
  find: (visit: Visit) => TE.TaskEither<Refusal, Found>,
  record: (call: Call, found: Found, body: Body) => TE.TaskEither<Refusal, void>,
): Endpoint => ({
  method: 'put',
  path,
  bodyLimit: analysisBody,
  body: codec,
  serve: (visit, enclosed) =>
    pipe(
      find(visit),
      TE.bindTo('found'),
      TE.bind('bytes', () => TE.fromEither<Refusal, Uint8Array>(enclosed.body)),
      TE.bind('received', ({ bytes }) =>
        visit.query['format'] === undefined
          ? TE.fromEither<Refusal, Received>(E.map((json: unknown) => ({ json, understood: null }))(parseJson(bytes)))
          : readDocument(documents, half, visit.query, bytes),
      ),
      TE.bind('body', ({ received }) => TE.fromEither<Refusal, Body>(decodeBody(codec, received.json))),
      TE.bind('request', () => enclosed.admit),
      TE.chainFirst(({ found, body, request }) => record({ ...visit, request }, found, body)),
      TE.map(({ received: { understood }, body: { status } }) => ({
        body: understood === null ? { status } : { status, understood },
      })),
    ),
});
