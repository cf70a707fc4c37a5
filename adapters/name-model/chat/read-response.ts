import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { boundedBytes } from './bounded-bytes.js';

/** Bytes. Answers of a few hundred speakers take kilobytes; what is longer is no answer. */
export const longestBody = 2 * 1024 * 1024;

const textOf = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    () => 'the response is not UTF-8',
  );

/** The body of a 200; of anything else only the status is read. The connection of a response not read whole is ended. */
export const readResponse = (response: IncomingMessage): Promise<E.Either<string, string>> =>
  new Promise((resolve) => {
    const fail = (reason: string) => {
      resolve(E.left(reason));
      response.destroy();
    };
    const body = boundedBytes(longestBody);
    response.on('error', () => fail('the response was cut off'));
    response.on('close', () => fail('the response was cut off'));
    if (response.statusCode !== 200) return fail(`the response has status ${response.statusCode}`);
    response.on('end', () => resolve(textOf(body.bytes())));
    return response.on('data', (chunk: Uint8Array) => {
      if (!body.add(chunk)) fail(`the response is larger than ${longestBody} bytes`);
    });
  });
