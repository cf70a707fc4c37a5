import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentRequest, ProviderDocuments, Understanding } from '../../application/ports/provider-documents.js';
import type { Failure } from '../../application/failures.js';
import type { Renumbering } from '../../domain/kernel/renumbering.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import type { Body as Bytes } from './body.js';
import type { BodyReader } from './body-readers.js';
import { malformed } from './decode.js';
import { AnalysisReceipt } from './codecs/media.js';
import type {
  Answer,
  Call,
  Checks,
  Endpoint,
  Finder,
  Once,
  Refusable,
  RefusalTag,
  IncomingRequest,
} from './endpoint.js';
import { admitted, analysisBodyLimit, described } from './declare-endpoint.js';
import { documentParameters } from './parameters.js';
import { type BadQuery, type Query, badQuery, flag, together } from './query.js';
import type { Refusal } from './refusals/refusals.js';

/** A body in the format of the contract; `understood` says how it was read from a provider document. */
interface Received {
  readonly sent: Bytes;
  readonly understood: Understanding | null;
}

const automatic = 'auto';

/** The maximal frame rate of a document that counts frames. */
const maxFps = 1_000;

const frameRate = ({ fps }: Query): E.Either<BadQuery, number | null> => {
  if (fps === undefined) return E.right(null);
  const rate = /^\d+(?:\.\d+)?$/.test(fps) ? Number(fps) : 0;
  return rate > 0 && rate <= maxFps ? E.right(rate) : badQuery('fps', `must be a number above 0, at most ${maxFps}`);
};

/** `format`; null if it is to be recognised. */
const documentFormat = (
  { format = automatic }: Query,
  formats: ReadonlyArray<string>,
): E.Either<BadQuery, string | null> => {
  if (format === automatic) return E.right(null);
  return formats.includes(format)
    ? E.right(format)
    : badQuery('format', `must be ${automatic} or one of ${formats.join(', ')}`);
};

/** `format`, `recording`, `provider_supplied` and `fps`. */
const documentRequest = (query: Query, formats: ReadonlyArray<string>): E.Either<BadQuery, DocumentRequest> => {
  const { recording } = query;
  return together({
    format: documentFormat(query, formats),
    recordings: E.right(recording === undefined ? [] : [recording]),
    provider_supplied: flag(query, 'provider_supplied'),
    fps: frameRate(query),
  });
};

const readDocument = (
  documents: ProviderDocuments,
  half: 'video' | 'audio',
  query: Query,
  document: Bytes,
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
        ? TE.left<Refusal>(malformed(`The document contains no ${half === 'video' ? 'faces' : 'speech'}`))
        : TE.right({ sent: body, understood: read.understood });
    }),
  );

/** The body of a request, which with `?format=` is a document. */
const understand = (
  documents: ProviderDocuments,
  half: 'video' | 'audio',
  { query }: IncomingRequest,
  sent: Bytes,
): TE.TaskEither<Refusal, Received> =>
  query['format'] === undefined ? TE.right({ sent, understood: null }) : readDocument(documents, half, query, sent);

/** Records a received body, once per idempotency key. */
const recorded = <Body extends { readonly status: ProcessingStatus }>(
  reader: BodyReader<Body>,
  visit: IncomingRequest,
  { read, admit }: Pick<Checks, 'read' | 'admit'>,
  { sent, understood }: Received,
  once: Once,
  record: (call: Call, body: Body) => TE.TaskEither<Refusal, Renumbering>,
): TE.TaskEither<Refusal, Answer> =>
  pipe(
    TE.Do,
    TE.bind('body', (): TE.TaskEither<Refusal, Body> => read(reader, sent)),
    TE.bind('request', () => admit),
    TE.chain(({ body, request }) =>
      once.serve(request, { writesNothing: false }, (own) =>
        pipe(
          record({ ...visit, request: own }, body),
          TE.map(({ renumbered, discontinued }) => ({
            body: {
              status: body.status,
              renumbered: renumbered.map(({ from, to }) => ({ from, to })),
              discontinued,
              ...(understood === null ? {} : { understood }),
            },
          })),
        ),
      ),
    ),
  );

/**
 * PUT of an analysis. With `?format=`, the body is a provider document, which is read as by the import command, and the
 * answer says how it was interpreted, with what `annotate` adds.
 */
export const analysisWriteBack = <
  Found,
  FoundTag extends RefusalTag,
  Tag extends RefusalTag,
  Body extends { readonly status: ProcessingStatus },
>(
  half: 'video' | 'audio',
  reader: BodyReader<Body>,
  documents: ProviderDocuments,
  refuses: ReadonlyArray<Tag>,
  finder: Finder<Found, FoundTag>,
  record: (call: Call, found: Found, body: Body) => TE.TaskEither<Refusable<NoInfer<Tag | FoundTag>>, Renumbering>,
  annotate: (found: Found, understood: Understanding) => TE.TaskEither<Failure, Understanding> = (_, understood) =>
    TE.right(understood),
): Endpoint => ({
  ...described(
    {
      operation: `${half}s.recordAnalysis`,
      answer: AnalysisReceipt,
      refuses: [...refuses, 'DocumentReaderFailed'],
      query: documentParameters,
    },
    finder,
    { hasBody: true, hasSecret: false, ignoresKey: false },
  ),
  bodyLimit: analysisBodyLimit,
  body: reader.codec,
  bodyOptional: false,
  serve: (visit, checks) =>
    pipe(
      finder.find(visit),
      TE.mapLeft((refusal): Refusal => refusal),
      TE.bindTo('found'),
      TE.bindW('sent', () => checks.body),
      TE.bindW('once', ({ sent }) => checks.once(sent)),
      TE.chainW(({ found, sent, once }) => {
        if (once.stored !== null) return TE.right(once.stored);
        const own = { read: checks.read, admit: admitted(checks, once, finder, found) };
        return pipe(
          understand(documents, half, visit, sent),
          TE.chain((received): TE.TaskEither<Refusal, Received> =>
            received.understood === null
              ? TE.right(received)
              : pipe(
                  annotate(found, received.understood),
                  TE.map((understood): Received => ({ ...received, understood })),
                ),
          ),
          TE.chain((received) =>
            recorded(reader, visit, own, received, once, (call, body) => record(call, found, body)),
          ),
        );
      }),
    ),
});
