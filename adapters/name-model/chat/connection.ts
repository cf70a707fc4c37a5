import http from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { readResponse } from './read-response.js';

interface Unanswered {
  readonly reason: string;
  /** Nothing was answered, so that asking again cannot ask for a second answer. */
  readonly again: boolean;
}

export interface Connection {
  /** The body of the response with status 200, or why there is none. An aborted signal ends it at once. */
  readonly post: (body: string, signal: AbortSignal) => Promise<E.Either<string, string>>;
  /** Ends every socket. */
  readonly close: () => void;
}

const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const pauseMilliseconds = 100;
const brokenOff: Unanswered = { reason: 'broken off', again: false };

/** Only the code: a message may hold the address. */
const unanswered = (error: NodeJS.ErrnoException, begun: boolean): Unanswered => {
  const code = error.code ?? 'unknown error';
  return begun
    ? { reason: `the response was cut off (${code})`, again: false }
    : { reason: `no connection to the model (${code})`, again: passing.has(code) };
};

const send = (
  url: URL,
  options: http.RequestOptions,
  body: string,
  signal: AbortSignal,
): Promise<E.Either<Unanswered, string>> =>
  new Promise((resolve) => {
    let begun = false;
    let responded = false;
    const request = (url.protocol === 'https:' ? https : http).request(url, { ...options, method: 'POST' });
    const settle = (outcome: E.Either<Unanswered, string>) => {
      signal.removeEventListener('abort', breakOff);
      resolve(outcome);
    };
    const breakOff = () => {
      settle(E.left(brokenOff));
      request.destroy();
    };
    signal.addEventListener('abort', breakOff);
    request.on('socket', (socket) => {
      socket.prependOnceListener('data', () => {
        begun = true;
      });
    });
    request.on('response', (response) => {
      responded = true;
      void readResponse(response).then((read) =>
        settle(E.mapLeft((reason: string) => ({ reason, again: false }))(read)),
      );
    });
    request.on('error', (error) => settle(E.left(unanswered(error, begun))));
    request.on('close', () => {
      if (!responded) settle(E.left({ reason: 'the connection was closed without a response', again: false }));
    });
    request.end(body);
  });

/**
 * Posts JSON to one address over kept connections. It follows no redirect, and asks a second time, on a new connection,
 * only when the first broke or was never made before a single byte of an answer came.
 */
export const connectionTo = (url: URL, headers: http.OutgoingHttpHeaders): Connection => {
  const { Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  const post: Connection['post'] = async (body, signal) => {
    const sized = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const first = await send(url, { headers: sized, agent }, body, signal);
    if (E.isRight(first) || !first.left.again) return E.mapLeft(({ reason }: Unanswered) => reason)(first);
    await setTimeout(pauseMilliseconds, undefined, { signal }).catch(() => undefined);
    const second = signal.aborted ? E.left(brokenOff) : await send(url, { headers: sized, agent: false }, body, signal);
    return E.mapLeft(({ reason }: Unanswered) => reason)(second);
  };
  return { post, close: () => agent.destroy() };
};
