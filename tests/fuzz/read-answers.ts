import type { WireAnswer } from '../support/contract-answer.js';

/** A completely received answer. */
export interface WholeAnswer extends WireAnswer {
  /** The connection ends after it. */
  readonly last: boolean;
}

const mostText = 64 * 1_024;

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly end: number;
}

const headOf = (bytes: Buffer): Head | null => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const text of lines) {
    const colon = text.indexOf(':');
    headers[text.slice(0, colon).toLowerCase()] = text.slice(colon + 1).trim();
  }
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN), headers, end: end + 4 };
};

/** The end and the content of chunks that begin at a position; null while some of them are missing. */
const chunksFrom = (bytes: Buffer, from: number): { readonly end: number; readonly body: Buffer } | null => {
  const pieces: Buffer[] = [];
  let at = from;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size + 2;
    if (bytes.length < end) return null;
    if (size === 0) return { end, body: Buffer.concat(pieces) };
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = end;
  }
};

const bodyOf = (bytes: Buffer, { headers, end }: Head): { readonly end: number; readonly body: Buffer } | null => {
  if (headers['transfer-encoding'] === 'chunked') return chunksFrom(bytes, end);
  const length = Number(headers['content-length'] ?? 0);
  return bytes.length < end + length ? null : { end: end + length, body: bytes.subarray(end, end + length) };
};

const hasBody = (method: string, status: number): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200;

/** Splits the first complete answer off the received bytes; null while some of it is missing. */
export const firstAnswer = (
  bytes: Buffer,
  method: string,
): { readonly answer: WholeAnswer; readonly rest: Buffer } | null => {
  const head = headOf(bytes);
  if (head === null) return null;
  const { status, headers } = head;
  if (Number.isNaN(status)) throw new Error(`no answer: ${bytes.toString('latin1', 0, 100)}`);
  const found = hasBody(method, status) ? bodyOf(bytes, head) : { end: head.end, body: Buffer.alloc(0) };
  if (found === null) return null;
  const rest = bytes.subarray(found.end);
  if (status === 100) return firstAnswer(rest, method);
  const text = found.body.toString('utf8', 0, mostText);
  return { answer: { status, headers, text, last: headers['connection'] === 'close' }, rest };
};
