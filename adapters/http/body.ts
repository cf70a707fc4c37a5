import type { Tagged } from '../../domain/kernel/decider.js';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { waitAtMost } from '../runtime/clock.js';
import { boundedBytes } from '../runtime/memory.js';
import { type Threads, isOutOfMemory } from '../runtime/threads.js';
import { fairQueue } from '../runtime/fair-queue.js';
import { type BodyReader, type LargeBody, MalformedBody, malformed, parseJson } from './decode.js';

export type UnreadableBody =
  | Tagged<'PayloadTooLarge', { most_bytes: number }>
  | Tagged<'UnsupportedEncoding'>
  | Tagged<'BodyCutOff'>
  | Tagged<'ServerBusy'>;

/** The body could not be read because of a failure of the service. */
export type BodyReaderFailed = Tagged<'BodyReaderFailed'>;

/** The bytes of a request's body. */
export type Body = Uint8Array<ArrayBuffer>;

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** The maximum length of a body that is received at once, and parsed by the thread that serves. */
export const maxSmallBody = 256 * kibibyte;
/** The maximum length of a body of most endpoints. */
const usual = 2 * mebibyte;

/**
 * Bodies that are or may be larger than small are received in turns, each counted with its maximum length, so that only so
 * many bytes are in memory at once; the others wait in their connections. The largest leave room for the usual ones.
 */
const queues = { usual: fairQueue(16 * mebibyte), largest: fairQueue(64 * mebibyte) };
/** How long a body may wait for its turn, and how long it may take to arrive then, in milliseconds. */
const maxWaitMs = 120_000;
const maxArrivalMs = 60_000;

const chunkSize = 64 * kibibyte;

const decompression: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip({ chunkSize })],
  ['deflate', () => createInflate({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
]);

const encodingOf = ({ headers }: Request): string => headers['content-encoding']?.trim().toLowerCase() ?? 'identity';

/** The length of the body that the request announces; null if only its end will tell. */
const announcedLength = (request: Request): number | null =>
  encodingOf(request) === 'identity' && request.headers['content-length'] !== undefined
    ? Number(request.headers['content-length'])
    : null;

/** Reads a body until it ends or breaks off, exceeds the limit, or takes too long. */
const collect = (request: Request, limit: number): Promise<E.Either<UnreadableBody, Body>> =>
  new Promise((resolve) => {
    const decompress = decompression.get(encodingOf(request))?.();
    const source: Readable = decompress === undefined ? request : request.pipe(decompress);
    const collected = boundedBytes(limit, announcedLength(request) ?? 0);
    const end = (result: E.Either<UnreadableBody, Body>): void => {
      clearTimeout(late);
      source.off('data', take);
      // A compressed body may end before its request.
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      if (!collected.add(chunk)) end(E.left({ _tag: 'PayloadTooLarge', most_bytes: limit }));
    };
    const cutOff = (): void => end(E.left({ _tag: 'BodyCutOff' }));
    const late = setTimeout(cutOff, maxArrivalMs);
    source
      .on('data', take)
      .once('end', () => end(E.right(collected.bytes())))
      .once('error', cutOff);
    request.once('close', () => (request.complete ? undefined : cutOff()));
    if (request.destroyed) cutOff();
  });

/** A pipelined request waits for its turn: Node would write this into the middle of its answer, if that comes before. */
const askToContinue = (response: Response): void => {
  if (response.socket !== null) return response.writeContinue();
  response.once('socket', () => {
    if (!response.headersSent) response.writeContinue();
  });
};

/** Waits for the turn of a body of at most so many bytes; null if it takes too long. Returns what ends the turn. */
const turnOf = async (account: string, bytes: number): Promise<(() => void) | null> => {
  if (bytes <= maxSmallBody) return constVoid;
  const queue = bytes > usual ? queues.largest : queues.usual;
  const turn = queue.begin(account, bytes);
  const begun = await waitAtMost(turn, maxWaitMs);
  if (begun === null) void turn.then((end) => end());
  return begun;
};

/** Receives the body of one request. */
export interface BodyReceiver {
  /** The body, whatever its content type. If it is refused, nothing of it is kept, and the rest is not read. */
  readonly receive: (account: string) => TE.TaskEither<UnreadableBody, Body>;
  /** To be called when the body is no longer needed. */
  readonly release: () => void;
}

/** Receives a body of at most `limit` bytes after decompression. */
export const bodyReceiver = (request: Request, response: Response, limit: number): BodyReceiver => {
  let release: () => void = constVoid;
  return {
    receive: (account) => async () => {
      if (Number(request.headers['content-length']) > limit)
        return E.left({ _tag: 'PayloadTooLarge', most_bytes: limit });
      const encoding = encodingOf(request);
      if (encoding !== 'identity' && !decompression.has(encoding)) return E.left({ _tag: 'UnsupportedEncoding' });
      const turn = await turnOf(account, announcedLength(request) ?? limit);
      if (turn === null) return E.left({ _tag: 'ServerBusy' });
      release = turn;
      if (/^100-continue$/i.test(request.headers.expect ?? '')) askToContinue(response);
      return collect(request, limit);
    },
    release: () => release(),
  };
};

/** Reads a received body. Its memory may be moved to a thread: it cannot be used afterwards. */
export type ReadBody = <Sent>(
  reader: BodyReader<Sent>,
  body: Body,
) => TE.TaskEither<MalformedBody | BodyReaderFailed, Sent>;

/** The result of a thread. */
const resultOf = <Sent>({ result }: BodyReader<Sent>): t.Type<E.Either<MalformedBody, Sent>, unknown> =>
  t.union([
    t.type({ _tag: t.literal('Left'), left: MalformedBody }),
    t.type({ _tag: t.literal('Right'), right: result }),
  ]);

/** Reads small bodies at once and larger ones in threads, since they would block all other requests. */
export const bodyReading =
  (threads: Threads): ReadBody =>
  (reader, body) => {
    if (body.length <= maxSmallBody) return TE.fromEither(pipe(parseJson(body), E.chain(reader.read)));
    const input: LargeBody = { reader: reader.codec.name, bytes: body };
    const lane = body.length > usual ? 'large input' : 'short';
    return async () => {
      try {
        return await threads.run({
          work: 'readBody',
          lane,
          input,
          result: resultOf(reader),
          timeoutMs: 60_000,
          // What is moved cannot be read again if the thread is ended because something was erased. The largest would be in
          // memory twice.
          transfer: lane === 'short' ? [] : [body.buffer],
        });
      } catch (error) {
        return isOutOfMemory(error)
          ? E.left(malformed('Processing the body would need too much memory'))
          : E.left({ _tag: 'BodyReaderFailed' });
      }
    };
  };
