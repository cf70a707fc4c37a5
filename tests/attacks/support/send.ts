import { Agent, request } from 'node:http';
import { type WireAnswer, codeOf, faultOfForm } from '../../support/contract-answer.js';

/** A request of an attack. */
export interface AttackRequest {
  readonly method?: string;
  /** Sent as it is. */
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent piece by piece where there are several. */
  readonly body?: Uint8Array | string | ReadonlyArray<Uint8Array>;
}

/** What came of it. Status 0: the connection ended without an answer, `text` says how. */
export interface AttackAnswer extends WireAnswer {
  /** Milliseconds until the answer was there in whole. */
  readonly ms: number;
  /** Bytes of the answer's body, of which the text holds the first 64 KiB. */
  readonly bytes: number;
}

const maxText = 64 * 1_024;

const lengthOf = (body: AttackRequest['body']): number => {
  if (body === undefined) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
};

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 256 });

/** Sends a request to a service at a port of the loopback address. */
export const sendTo =
  (port: number) =>
  ({ method = 'GET', path, key = null, headers = {}, body }: AttackRequest): Promise<AttackAnswer> =>
    new Promise((resolve) => {
      const start = performance.now();
      let answered = false;
      const fail = (error: Error): void => {
        if (!answered)
          resolve({ status: 0, headers: {}, text: error.message, ms: performance.now() - start, bytes: 0 });
      };
      const outgoing = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            ...(key === null ? {} : { 'X-API-Key': key }),
            ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': lengthOf(body) }),
            ...headers,
          },
        },
        (response) => {
          answered = true;
          let [text, bytes] = ['', 0];
          const done = (): void =>
            resolve({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              text,
              ms: performance.now() - start,
              bytes,
            });
          response
            .on('data', (chunk: Buffer) => {
              if (text.length < maxText) text += chunk.toString('utf8', 0, maxText);
              bytes += chunk.length;
            })
            .on('end', done)
            .on('error', done);
        },
      );
      outgoing.on('error', fail).on('close', () => fail(new Error('closed without an answer')));
      if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
        for (const piece of body) outgoing.write(piece);
      outgoing.end(typeof body === 'string' || body instanceof Uint8Array ? body : undefined);
    });

/** As in `401 not_authorised ×64, 503 overloaded ×3`. */
export const summaryOf = (answers: ReadonlyArray<AttackAnswer>): string => {
  const counts = new Map<string, number>();
  for (const { status, text } of answers) {
    const what =
      status === 0 ? `no answer (${text})` : [status, codeOf(text)].filter((part) => part !== null).join(' ');
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, times]) => (times === 1 ? what : `${what} ×${times}`)).join(', ');
};

/** What is wrong with an answer to a request that may be refused, or put off by 503; null when nothing is. */
export const faultOf = (answer: AttackAnswer): string | null => {
  const { status, text } = answer;
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 200)}`;
  /* The text of a long answer is not whole. */
  const fault = text.length >= maxText ? null : faultOfForm(answer);
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};
