import { Agent, type IncomingMessage, request } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { parsedJson } from '../../adapters/runtime/json.js';
import { undescribed } from './e2e/described-answers.js';

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
    const answer = { ...answered, body: parsedJson(answered.text) };
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

export interface KeyRights {
  readonly admin?: boolean;
  readonly permissions?: ReadonlyArray<'MEDIA_WRITE' | 'WORKER'>;
}

const AccountExists = t.type({ detail: t.type({ code: t.literal('account_exists') }) });
const Issued = t.type({ key: t.string });

/** Opens an account unless it exists; any other refusal throws with the service's answer. */
export const openAccount = async (admin: Pick<HttpClient, 'post'>, account_id: string): Promise<void> => {
  const { status, text, body } = await admin.post('/v1/accounts', { account_id });
  if (status !== 200 && !AccountExists.is(body))
    throw new Error(`opening ${account_id} was answered ${status}: ${text}`);
};

/** A new key of an account, which is opened if necessary. */
export const newKey = async (
  admin: Pick<HttpClient, 'post'>,
  account_id: string,
  rights: KeyRights = {},
): Promise<string> => {
  await openAccount(admin, account_id);
  return bodyOf(Issued, await admin.post(`/v1/accounts/${account_id}/keys`, rights)).key;
};

/** An answer as received; names of headers in lower case. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

const Coded = t.type({ code: t.string, message: t.string });
const Errors = t.type({ errors: t.array(t.type({ path: t.string, message: t.string })) });
const maxErrors = 20;

const faultOfDetail = (detail: unknown): string | null => {
  if (typeof detail === 'string') return detail.trim() === '' ? 'an empty detail' : null;
  if (!Coded.is(detail)) return 'a detail without code and message';
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(detail.code)) return 'a code with invalid characters';
  if (detail.message.trim() === '') return 'an empty message';
  if (detail.code !== 'malformed_body') return null;
  if (!Errors.is(detail)) return 'malformed_body without its errors';
  return detail.errors.length > maxErrors ? `more than ${maxErrors} errors` : null;
};

/**
 * A violation of the contract in the form of an answer; null if there is none. Health checks and preflights
 * have other forms and must not be checked here.
 */
export const faultOfForm = ({ status, headers, text }: WireAnswer): string | null => {
  if ((headers['x-request-id'] ?? '') === '') return 'no X-Request-Id';
  if (status === 200 || status === 304) return null;
  if (status < 400) return 'a status that the contract does not know';
  if (!(headers['content-type'] ?? '').startsWith('application/json')) return 'an error that is not JSON';
  const body = parsedJson(text);
  if (typeof body !== 'object' || body === null || !('detail' in body)) return 'an error without a detail';
  if (status === 503 && !/^\d+$/.test(headers['retry-after'] ?? '')) return '503 without Retry-After';
  if (status === 405 && (headers['allow'] ?? '') === '') return '405 without Allow';
  return faultOfDetail(body.detail);
};

/** The code of an error; null if its detail is a text, or if there is none. */
export const codeOf = (text: string): string | null => {
  const body = parsedJson(text);
  if (typeof body !== 'object' || body === null || !('detail' in body)) return null;
  return Coded.is(body.detail) ? body.detail.code : null;
};
