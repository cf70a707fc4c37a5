import * as E from 'fp-ts/lib/Either.js';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { boundedBytes } from '../../runtime/memory.js';

/** Answers about a few hundred speakers take kilobytes. */
const maxBodyBytes = 2 * 1024 * 1024;

/** The response cannot be used. */
class UnusableResponse extends Error {}

/** The body of a response with status 200. Other responses are not read, and their connection is closed. */
const bodyOf = async (response: IncomingMessage): Promise<string> => {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new UnusableResponse(`the response has status ${response.statusCode}`);
  }
  const body = boundedBytes(maxBodyBytes);
  const chunks: AsyncIterable<Uint8Array> = response;
  for await (const chunk of chunks)
    if (!body.add(chunk)) throw new UnusableResponse(`the response is larger than ${maxBodyBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body.bytes());
  } catch {
    throw new UnusableResponse('the response is not UTF-8');
  }
};

/** Of other errors only the code is told, because the message may contain the URL. */
const reasonOf = (error: unknown): string => {
  if (error instanceof UnusableResponse) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return `the connection to the model failed (${code})`;
};

/**
 * Posts JSON, without following redirects, on a connection of its own, so that none is used that turns out to be dead.
 * Returns the body of a response with status 200, or why there is none. Nothing is sent twice, because each request may
 * be billed. Aborting the signal ends the request at once.
 */
export const postJson = async (
  url: URL,
  authorization: http.OutgoingHttpHeaders,
  body: string,
  signal: AbortSignal,
): Promise<E.Either<string, string>> => {
  const headers = {
    ...authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const { request: begin } = url.protocol === 'https:' ? https : http;
  try {
    const request = begin(url, { method: 'POST', headers, signal, agent: false });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
      request.on('close', () => reject(new UnusableResponse('the connection was closed without a response')));
    });
    request.end(body);
    return E.right(await bodyOf(await response));
  } catch (error) {
    return E.left(reasonOf(error));
  }
};
