import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type Claim, smallBody } from './byte-budget.js';
import { type Block, blockSize } from './blocks.js';
import { readingTurns } from './reading-turns.js';
import type { ReceivedBody } from './received-body.js';

export type UnreadableBody =
  | { readonly _tag: 'PayloadTooLarge' }
  | { readonly _tag: 'UnsupportedEncoding' }
  | { readonly _tag: 'BodyCutOff' }
  | { readonly _tag: 'ServerBusy' };

/** Of all requests of this process. */
const turns = readingTurns();

const refused = (_tag: UnreadableBody['_tag']): E.Either<UnreadableBody, never> => E.left({ _tag });

const chunkSize = 64 * 1024;

const decompression: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip({ chunkSize })],
  ['deflate', () => createInflate({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
]);

/** The body as it was before its encoding; null where that encoding is unknown. */
const decoded = (request: Request): Readable | null => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const decompress = decompression.get(encoding)?.();
  return decompress === undefined ? null : request.pipe(decompress);
};

/** Takes no byte more than what it is told to hold; false where there is no memory for a chunk. */
interface Collector {
  readonly add: (chunk: Buffer) => boolean;
  readonly body: () => ReceivedBody;
}

/**
 * Collects chunks: small bodies in memory of their own, larger ones in blocks of the budget. Chunks are copied, for each
 * takes far more memory than its bytes where a client sends one at a time.
 */
const collector = (claim: Claim): Collector => {
  /* Never shared: who reads a body may hand its memory over to a thread. */
  let small: Uint8Array = new Uint8Array();
  const blocks: Block[] = [];
  let length = 0;
  const addSmall = (chunk: Buffer): boolean => {
    const needed = length + chunk.length;
    if (!claim.growTo(needed)) return false;
    if (length === 0) small = chunk;
    else {
      const larger = needed <= small.length ? small : Buffer.allocUnsafeSlow(Math.min(smallBody, 4 * needed));
      if (larger !== small) larger.set(small.subarray(0, length));
      larger.set(chunk, length);
      small = larger;
    }
    length = needed;
    return true;
  };
  const addLarge = (chunk: Uint8Array): boolean => {
    let rest = chunk;
    while (rest.length > 0) {
      const offset = length % blockSize;
      const block = offset === 0 ? claim.nextBlock() : blocks.at(-1);
      if (block === null || block === undefined) return false;
      if (offset === 0) blocks.push(block);
      const piece = rest.subarray(0, blockSize - offset);
      block.set(piece, offset);
      length += piece.length;
      rest = rest.subarray(piece.length);
    }
    return true;
  };
  const becomeLarge = (): boolean => {
    const before = small.subarray(0, length);
    length = 0;
    small = new Uint8Array();
    return addLarge(before);
  };
  return {
    add: (chunk) => {
      if (blocks.length > 0) return addLarge(chunk);
      return length + chunk.length <= smallBody ? addSmall(chunk) : becomeLarge() && addLarge(chunk);
    },
    body: () => (blocks.length > 0 ? { blocks, length } : { blocks: [small], length }),
  };
};

/** Reads a body until it ends, breaks off, becomes too large or goes beyond the budget. */
const collect = (request: Request, source: Readable, limit: number, claim: Claim) =>
  new Promise<E.Either<UnreadableBody, ReceivedBody>>((resolve) => {
    const collected = collector(claim);
    let length = 0;
    const end = (answer: E.Either<UnreadableBody, ReceivedBody>): void => {
      source.off('data', take);
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      if (E.isLeft(answer)) claim.release();
      resolve(answer);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) return end(refused('PayloadTooLarge'));
      if (!collected.add(chunk)) return end(refused('ServerBusy'));
      if (length > smallBody) turns.gave(source, chunk.length);
    };
    const cutOff = (): void => end(refused('BodyCutOff'));
    source
      .on('data', take)
      .once('end', () => end(E.right(collected.body())))
      .once('error', cutOff);
    request.once('close', () => (request.complete ? undefined : cutOff()));
    if (request.destroyed) cutOff();
  });

/**
 * The bytes of a body of at most so many bytes, whatever type it says it has. Of one that is refused nothing is kept,
 * and the rest is left unread.
 */
export const receiveBody =
  (request: Request, response: Response, limit: number, claim: Claim): TaskEither<UnreadableBody, ReceivedBody> =>
  async () => {
    if (Number(request.headers['content-length']) > limit) return refused('PayloadTooLarge');
    const source = decoded(request);
    if (source === null) return refused('UnsupportedEncoding');
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    return collect(request, source, limit, claim);
  };

/** How long a client that was answered before it had sent its body may go on sending, in milliseconds. */
const lingering = 2_000;

const leavesMuch = ({ complete, headers }: Request): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody);

/**
 * Ends an answer. Where much of the request is still to come, that is read and dropped for a moment, so that a client
 * which is still sending gets to read the answer, and the connection is closed.
 */
export const endAnswer = (request: Request, response: Response, text: string | Uint8Array): void => {
  if (!leavesMuch(request)) return void response.end(text);
  response.setHeader('Connection', 'close');
  response.write(text);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingering);
  request
    .on('data', (chunk: Buffer) => turns.gave(request, chunk.length))
    .once('end', end)
    .once('close', end)
    .resume();
};
