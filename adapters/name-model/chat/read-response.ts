import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';

/** Answers about a few hundred speakers take kilobytes. */
export const maxBodyBytes = 2 * 1024 * 1024;

/** Collects bytes up to a limit, in one buffer, so that a body that arrives byte by byte needs no more memory. */
export const boundedBytes = (limit: number) => {
  let buffer = Buffer.alloc(Math.min(limit, 65_536));
  let length = 0;
  return {
    /** Adds a chunk; returns false without adding it if the limit would be exceeded. */
    add: (chunk: Uint8Array): boolean => {
      const total = length + chunk.length;
      if (total > limit) return false;
      if (total > buffer.length) {
        const larger = Buffer.alloc(Math.min(limit, Math.max(total, buffer.length * 2)));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(chunk, length);
      length = total;
      return true;
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  };
};

const textOf = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    () => 'the response is not UTF-8',
  );

/** The body of a response with status 200. Other responses are not read, and their connection is closed. */
export const readResponse = (response: IncomingMessage): Promise<E.Either<string, string>> =>
  new Promise((resolve) => {
    const fail = (reason: string) => {
      resolve(E.left(reason));
      response.destroy();
    };
    const body = boundedBytes(maxBodyBytes);
    response.on('error', () => fail('the response was interrupted'));
    response.on('close', () => fail('the response was interrupted'));
    if (response.statusCode !== 200) return fail(`the response has status ${response.statusCode}`);
    response.on('end', () => resolve(textOf(body.bytes())));
    return response.on('data', (chunk: Uint8Array) => {
      if (!body.add(chunk)) fail(`the response is larger than ${maxBodyBytes} bytes`);
    });
  });
