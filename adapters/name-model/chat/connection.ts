import { boundedBytes } from '../../runtime/memory.js';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';

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

export interface Connection {
  /** The body of a response with status 200, or why there is none. Aborting the signal ends the request at once. */
  readonly post: (body: string, signal: AbortSignal) => Promise<E.Either<string, string>>;
  /** Closes all sockets. */
  readonly close: () => void;
}

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const retryDelayMs = 100;

interface RequestFailure {
  readonly reason: string;
  /** No byte of an answer was received, so that a retry cannot be billed twice. */
  readonly retryable: boolean;
}

/** Uses the error code only, because the message may contain the URL. */
const failureOf = (error: unknown, hasData: boolean): RequestFailure => {
  if (error instanceof UnusableResponse) return { reason: error.message, retryable: false };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return hasData
    ? { reason: `the response was interrupted (${code})`, retryable: false }
    : { reason: `no connection to the model (${code})`, retryable: transientCodes.has(code) };
};

const send = async (
  url: URL,
  options: http.RequestOptions,
  body: string,
): Promise<E.Either<RequestFailure, string>> => {
  let hasData = false;
  const request = (url.protocol === 'https:' ? https : http).request(url, { ...options, method: 'POST' });
  request.on('socket', (socket) =>
    socket.prependOnceListener('data', () => {
      hasData = true;
    }),
  );
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
    request.on('close', () => reject(new UnusableResponse('the connection was closed without a response')));
  });
  request.end(body);
  try {
    return E.right(await bodyOf(await response));
  } catch (error) {
    return E.left(failureOf(error, hasData));
  }
};

/**
 * Posts JSON to one URL over keep-alive connections, without following redirects. A request is retried once, on a new
 * connection, if the first one failed before a single byte of an answer was received.
 */
export const connectionTo = (url: URL, authorization: http.OutgoingHttpHeaders): Connection => {
  const { Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  return {
    post: async (body, signal) => {
      const headers = {
        ...authorization,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      let answer = await send(url, { headers, signal, agent }, body);
      if (E.isLeft(answer) && answer.left.retryable) {
        await setTimeout(retryDelayMs, undefined, { signal }).catch(constVoid);
        answer = await send(url, { headers, signal, agent: false }, body);
      }
      return E.mapLeft(({ reason }: RequestFailure) => reason)(answer);
    },
    close: () => agent.destroy(),
  };
};
