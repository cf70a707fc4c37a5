import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type MalformedBody, parseJson } from '../decode.js';
import type { BodyReader } from './body-reader.js';
import { smallBody } from './byte-budget.js';
import type { BodyReaderFailed, LargeBodies } from './large-bodies.js';
import { type ReceivedBody, wholeBody } from './received-body.js';

/** Reads the body of a request. */
export type ReadBytes = <Body>(
  reader: BodyReader<Body>,
  body: ReceivedBody,
) => TE.TaskEither<MalformedBody | BodyReaderFailed, Body>;

/** Small bodies are read at once; for large ones that would hold all other requests up. */
export const readBytes =
  ({ read }: LargeBodies): ReadBytes =>
  (reader, body) =>
    body.length > smallBody
      ? () => read(reader, body)
      : TE.fromEither(pipe(parseJson(wholeBody(body)), E.chain(reader.read)));
