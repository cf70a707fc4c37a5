import { Agent, type IncomingMessage, request } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { undescribed } from './e2e/described-answers.js';
import { jsonOf } from './json-of.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The text as received, JSON or not. */
  readonly text: string;
}

export interface HttpClient {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<HttpAnswer>;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<HttpAnswer>;
  readonly put: (path: string, body: unknown, headers?: Record<string, string>) => Promise<HttpAnswer>;
  readonly patch: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<HttpAnswer>;
  readonly delete: (path: string, headers?: Record<string, string>) => Promise<HttpAnswer>;
  /** Any method with a body sent as it is. */
  readonly raw: (
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers?: Record<string, string>,
  ) => Promise<HttpAnswer>;
}

/**
 * Connections are kept alive: a new one takes as long as a small request. An idle one is closed well before the server
 * closes it, which Node's does after 5 s: a request at that moment would fail.
 */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

interface SentRequest {
  readonly method?: string;
  /** Sent unchanged: nothing is escaped or removed. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
};

/** There was no answer, or only a part of one: the connection was refused or lost. */
export class NoAnswerError extends Error {}

/** Sends a request unchanged and follows no redirects. Needs a third of the processor time of `fetch`. */
export const sendRequest = (
  url: string,
  { method = 'GET', path, headers = {}, body }: SentRequest,
): Promise<Omit<HttpAnswer, 'body'>> =>
  new Promise((resolve, reject) => {
    const failed = (cause: Error): void => reject(new NoAnswerError(`${method} ${path}: ${cause.message}`, { cause }));
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = request(url, { agent, method, path, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('error', failed);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }));
    });
    outgoing.once('error', failed);
    outgoing.end(body);
  });

/** An HTTP client with an API key, or without one if the key is null. It checks every answer against the OpenAPI document. */
export const httpClient = (url: string, key: string | null): HttpClient => {
  const raw: HttpClient['raw'] = async (method, path, body, headers = {}) => {
    const answered = await sendRequest(url, {
      method,
      path,
      headers: {
        ...(key === null ? {} : { 'X-API-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body,
    });
    const answer = { ...answered, body: jsonOf(answered.text) };
    const faults = await undescribed({ method, path, request_body: body, ...answer });
    if (faults.length > 0) throw new Error(`not as the OpenAPI document says: ${faults.join('; ')}`);
    return answer;
  };
  const json = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
    raw(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  return {
    raw,
    get: (path, headers) => raw('GET', path, undefined, headers),
    delete: (path, headers) => raw('DELETE', path, undefined, headers),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
  };
};

/** The decoded body of an answer with status 200; throws for any other answer. */
export const bodyOf = <Body>(codec: t.Decoder<unknown, Body>, { status, text, body }: HttpAnswer): Body => {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  const decoded = codec.decode(body);
  if (E.isLeft(decoded)) throw new Error(`an answer of another shape: ${text}`);
  return decoded.right;
};
