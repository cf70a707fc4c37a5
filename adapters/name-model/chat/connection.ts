import { boundedBytes } from '../../runtime/memory.js';
import * as E from 'fp-ts/lib/Either.js';
import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** Answers about a few hundred speakers take kilobytes. */
export const maxBodyBytes = 2 * 1024 * 1024;

const textOf = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    () => 'the response is not UTF-8',
  );

/** The body of a response with status 200. Other responses are not read, and their connection is closed. */
const readResponse = (response: IncomingMessage): Promise<E.Either<string, string>> =>
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

interface RequestFailure {
  readonly reason: string;
  /** No byte of an answer was received, so that a retry cannot be billed twice. */
  readonly retryable: boolean;
}

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
const aborted: RequestFailure = { reason: 'aborted', retryable: false };

/** Uses the error code only, because the message may contain the URL. */
const failureOf = (error: NodeJS.ErrnoException, hasData: boolean): RequestFailure => {
  const code = error.code ?? 'unknown error';
  return hasData
    ? { reason: `the response was interrupted (${code})`, retryable: false }
    : { reason: `no connection to the model (${code})`, retryable: transientCodes.has(code) };
};

const send = (
  url: URL,
  options: http.RequestOptions,
  body: string,
  signal: AbortSignal,
): Promise<E.Either<RequestFailure, string>> =>
  new Promise((resolve) => {
    let hasData = false;
    let responded = false;
    const request = (url.protocol === 'https:' ? https : http).request(url, { ...options, method: 'POST' });
    const finish = (outcome: E.Either<RequestFailure, string>) => {
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const abort = () => {
      finish(E.left(aborted));
      request.destroy();
    };
    signal.addEventListener('abort', abort);
    request.on('socket', (socket) => {
      socket.prependOnceListener('data', () => {
        hasData = true;
      });
    });
    request.on('response', (response) => {
      responded = true;
      void readResponse(response).then((read) =>
        finish(E.mapLeft((reason: string) => ({ reason, retryable: false }))(read)),
      );
    });
    request.on('error', (error) => finish(E.left(failureOf(error, hasData))));
    request.on('close', () => {
      if (!responded) finish(E.left({ reason: 'the connection was closed without a response', retryable: false }));
    });
    request.end(body);
  });

/**
 * Posts JSON to one URL over keep-alive connections, without following redirects. A request is retried once, on a new
 * connection, if the first one failed before a single byte of an answer was received.
 */
export const connectionTo = (url: URL, headers: http.OutgoingHttpHeaders): Connection => {
  const { Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  const post: Connection['post'] = async (body, signal) => {
    const sized = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const first = await send(url, { headers: sized, agent }, body, signal);
    if (E.isRight(first) || !first.left.retryable) return E.mapLeft(({ reason }: RequestFailure) => reason)(first);
    await setTimeout(retryDelayMs, undefined, { signal }).catch(() => undefined);
    const second = signal.aborted ? E.left(aborted) : await send(url, { headers: sized, agent: false }, body, signal);
    return E.mapLeft(({ reason }: RequestFailure) => reason)(second);
  };
  return { post, close: () => agent.destroy() };
};
