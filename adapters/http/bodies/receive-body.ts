import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request, Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type Block, type BudgetClaim, blockSize, maxSmallBody } from './byte-budget.js';

/** The bytes of a body, in blocks of equal size of which the last may be partly filled. A small body is one block. */
export interface ReceivedBody {
  readonly blocks: ReadonlyArray<Uint8Array>;
  readonly length: number;
}

/** A body made of the given bytes. */
export const bodyOf = (bytes: Uint8Array): ReceivedBody => ({ blocks: [bytes], length: bytes.length });

/** The bytes of a body in one array; copied if there are several blocks. */
export const wholeBody = ({ blocks, length }: ReceivedBody): Uint8Array => {
  const [first] = blocks;
  if (first !== undefined && first.length >= length) return first.subarray(0, length);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const block of blocks) {
    const part = block.subarray(0, length - offset);
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
};

export type UnreadableBody =
  | { readonly _tag: 'PayloadTooLarge'; readonly most_bytes: number }
  | { readonly _tag: 'UnsupportedEncoding' }
  | { readonly _tag: 'BodyCutOff' }
  | { readonly _tag: 'ServerBusy' };

const refused = (_tag: Exclude<UnreadableBody['_tag'], 'PayloadTooLarge'>): E.Either<UnreadableBody, never> =>
  E.left({ _tag });

const tooLarge = (most_bytes: number): E.Either<UnreadableBody, never> =>
  E.left({ _tag: 'PayloadTooLarge', most_bytes });

const chunkSize = 64 * 1024;

const decompression: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip({ chunkSize })],
  ['deflate', () => createInflate({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
]);

/** The decompressed body; null if its encoding is not supported. */
const decompressed = (request: Request): Readable | null => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const decompress = decompression.get(encoding)?.();
  return decompress === undefined ? null : request.pipe(decompress);
};

interface Collector {
  /** Adds a chunk; false if the budget has no room for it. */
  readonly add: (chunk: Buffer) => boolean;
  readonly body: () => ReceivedBody;
}

/**
 * Collects chunks: a small body in memory of its own, a larger one in blocks of the budget. Chunks are copied, because a
 * chunk takes far more memory than its bytes if a client sends one byte at a time.
 */
const collector = (claim: BudgetClaim): Collector => {
  // Not shared with other requests: whoever parses the body may transfer its memory to a thread.
  let small: Uint8Array = new Uint8Array();
  const blocks: Block[] = [];
  let length = 0;
  const addSmall = (chunk: Buffer): boolean => {
    const newLength = length + chunk.length;
    if (!claim.growTo(newLength)) return false;
    if (length === 0) small = chunk;
    else {
      const larger = newLength <= small.length ? small : Buffer.allocUnsafeSlow(Math.min(maxSmallBody, 4 * newLength));
      if (larger !== small) larger.set(small.subarray(0, length));
      larger.set(chunk, length);
      small = larger;
    }
    length = newLength;
    return true;
  };
  const addLarge = (chunk: Uint8Array): boolean => {
    let rest = chunk;
    while (rest.length > 0) {
      const offset = length % blockSize;
      const block = offset === 0 ? claim.nextBlock() : blocks.at(-1);
      if (block === null || block === undefined) return false;
      if (offset === 0) blocks.push(block);
      const part = rest.subarray(0, blockSize - offset);
      block.set(part, offset);
      length += part.length;
      rest = rest.subarray(part.length);
    }
    return true;
  };
  const moveToBlocks = (): boolean => {
    const received = small.subarray(0, length);
    length = 0;
    small = new Uint8Array();
    return addLarge(received);
  };
  return {
    add: (chunk) => {
      if (blocks.length > 0) return addLarge(chunk);
      return length + chunk.length <= maxSmallBody ? addSmall(chunk) : moveToBlocks() && addLarge(chunk);
    },
    body: () => (blocks.length > 0 ? { blocks, length } : { blocks: [small], length }),
  };
};

/** Reads a body until it ends or breaks off, or exceeds the limit or the budget. */
const collect = (request: Request, source: Readable, limit: number, claim: BudgetClaim) =>
  new Promise<E.Either<UnreadableBody, ReceivedBody>>((resolve) => {
    const collected = collector(claim);
    let length = 0;
    let isOver = false;
    const end = (result: E.Either<UnreadableBody, ReceivedBody>): void => {
      // A compressed body may end before its request, which can still break off while the body is in use.
      if (isOver) return;
      isOver = true;
      source.off('data', take);
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      if (E.isLeft(result)) claim.release();
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) return end(tooLarge(limit));
      if (!collected.add(chunk)) return end(refused('ServerBusy'));
    };
    const cutOff = (): void => end(refused('BodyCutOff'));
    source
      .on('data', take)
      .once('end', () => end(E.right(collected.body())))
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

/**
 * Receives a body of at most `limit` bytes after decompression, whatever its content type. If it is refused, nothing of
 * it is kept, and the rest is not read.
 */
export const receiveBody =
  (request: Request, response: Response, limit: number, claim: BudgetClaim): TaskEither<UnreadableBody, ReceivedBody> =>
  async () => {
    if (Number(request.headers['content-length']) > limit) return tooLarge(limit);
    const source = decompressed(request);
    if (source === null) return refused('UnsupportedEncoding');
    if (/^100-continue$/i.test(request.headers.expect ?? '')) askToContinue(response);
    return collect(request, source, limit, claim);
  };
