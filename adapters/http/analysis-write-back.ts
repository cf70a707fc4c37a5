import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentRequest, Understanding } from '../../application/ports/provider-documents.js';
import type { Renumbering } from '../../domain/kernel/renumbering.js';
import { malformed } from './decode.js';
import type { AnalysisReceipt } from './codecs/media.js';
import type { Answer, IncomingRequest } from './endpoint.js';
import type { ReceivedBody } from './declare-endpoint.js';
import { type BadQuery, type Query, badQuery, flag, together } from './request-head.js';
import type { Refusal } from './refusals/refusals.js';

export const aboutFormats =
  'With `format`, the body is a document in the format of that provider, and the answer says how it was interpreted.';

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

/** The body of a request, which with `?format=` is a provider document: it is read as by the import command. */
export const understand = (
  half: 'video' | 'audio',
  { query, service: { documents } }: IncomingRequest,
  sent: ReceivedBody['sent'],
): TE.TaskEither<Refusal, ReceivedBody> =>
  query['format'] === undefined
    ? TE.right({ sent, understood: null })
    : pipe(
        TE.fromEither<Refusal, DocumentRequest>(documentRequest(query, documents.formats)),
        TE.chain((request) =>
          pipe(
            documents.read(sent, request),
            TE.mapLeft((fault): Refusal => {
              if (fault._tag === 'DocumentReaderFailed') return fault;
              const { path, message } = fault;
              return malformed(path === '' ? message : `${path}: ${message}`, [{ path, message }]);
            }),
          ),
        ),
        TE.chain(({ understood, ...halves }) => {
          const body = halves[half];
          return body === null
            ? TE.left<Refusal>(malformed(`The document contains no ${half === 'video' ? 'faces' : 'speech'}`))
            : TE.right({ sent: body, understood });
        }),
      );

type Receipt = t.TypeOf<typeof AnalysisReceipt>;

/** The answer to the write-back of an analysis. */
export const receipt =
  ({ status }: Pick<Receipt, 'status'>, understood: Understanding | null) =>
  ({ renumbered, discontinued }: Renumbering): Answer<Receipt> => ({
    body: {
      status,
      renumbered: renumbered.map(({ from, to }) => ({ from, to })),
      discontinued,
      ...(understood === null ? {} : { understood: { ...understood } }),
    },
  });
