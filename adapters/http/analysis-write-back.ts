import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Understanding } from '../../application/ports/provider-documents.js';
import type { Renumbering } from '../../domain/kernel/renumbering.js';
import { malformed } from './decode.js';
import type { AnalysisReceipt } from './codecs/media.js';
import type { Answer, IncomingRequest } from './endpoint.js';
import type { ReceivedBody } from './declare-endpoint.js';
import { aboutText, flag, number, parameter, readAll, text } from './parameters.js';
import type { Refusal } from './refusals/refusals.js';

export const aboutFormats =
  'With `format`, the body is a document in the format of that provider, and the answer says how it was interpreted.';

const automatic = 'auto';

/** The maximal frame rate of a document that counts frames. */
const maxFps = 1_000;

const aboutFormat = aboutText('format', 'The body is a document in this provider format; `auto` detects the format.');
const recording = text('recording', 'The recording to read, if the document contains several.');
const provider_supplied = flag('provider_supplied', 'Whether the transcript is treated as supplied by a provider.');
const fps = number(
  aboutText('fps', 'Frames a second of the video, for documents that count frames.'),
  /^\d+(?:\.\d+)?$/,
  `a number above 0, at most ${maxFps}`,
  (rate) => rate > 0 && rate <= maxFps,
);

/** The format to read a document in, which is one of those that are known; null if it is to be recognised. */
const formatIn = (formats: ReadonlyArray<string>) =>
  parameter(
    aboutFormat,
    (given) => [automatic, ...formats].find((format) => format === given),
    `be ${automatic} or one of ${formats.join(', ')}`,
  );

const documentQuery = (formats: ReadonlyArray<string>) =>
  readAll({ format: formatIn(formats), recording, provider_supplied, fps });

/** Parameters of write-backs that accept provider documents. */
export const documentParameters = documentQuery([]).about;

/** The body of a request, which with `?format=` is a provider document: it is read as by the import command. */
export const understand = (
  half: 'video' | 'audio',
  { query, service: { documents } }: IncomingRequest,
  sent: ReceivedBody['sent'],
): TE.TaskEither<Refusal, ReceivedBody> =>
  query['format'] === undefined
    ? TE.right({ sent, understood: null })
    : pipe(
        TE.fromEither(documentQuery(documents.formats).read(query)),
        TE.chainW(({ format, recording: named, ...others }) =>
          pipe(
            documents.read(sent, {
              ...others,
              format: format === automatic ? null : format,
              recordings: named === null ? [] : [named],
            }),
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
    body: { status, renumbered, discontinued, ...(understood === null ? {} : { understood: { ...understood } }) },
  });
