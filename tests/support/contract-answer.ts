import * as t from 'io-ts';
import { jsonOf } from './json-of.js';

/** An answer as received; names of headers in lower case. */
export interface WireAnswer {
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
  const body = jsonOf(text);
  if (typeof body !== 'object' || body === null || !('detail' in body)) return 'an error without a detail';
  if (status === 503 && !/^\d+$/.test(headers['retry-after'] ?? '')) return '503 without Retry-After';
  if (status === 405 && (headers['allow'] ?? '') === '') return '405 without Allow';
  return faultOfDetail(body.detail);
};

/** The code of an error; null if its detail is a text, or if there is none. */
export const codeOf = (text: string): string | null => {
  const body = jsonOf(text);
  if (typeof body !== 'object' || body === null || !('detail' in body)) return null;
  return Coded.is(body.detail) ? body.detail.code : null;
};
