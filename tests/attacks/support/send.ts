import { codeOf, faultOfForm, type HttpAnswer, NoAnswerError, sendRequest } from '../../support/http-client.js';

/** A request of an attack. */
export interface AttackRequest {
  readonly method?: string;
  /** Sent as it is. */
  readonly path: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes or a text as they are; anything else as JSON. */
  readonly body?: Uint8Array | string | object;
}

/** What came of it. Status 0: the connection ended without an answer, `text` says how. */
export type AttackAnswer = Omit<HttpAnswer, 'body'>;

/** Sends a request to a service at a port of the loopback address. */
export const sendTo =
  (port: number) =>
  async ({ key = null, headers = {}, body: given, ...rest }: AttackRequest): Promise<AttackAnswer> => {
    const all = { ...(key === null ? {} : { 'X-API-Key': key }), 'Content-Type': 'application/json', ...headers };
    const isRaw = given === undefined || typeof given === 'string' || given instanceof Uint8Array;
    const body = isRaw ? given : JSON.stringify(given);
    try {
      return await sendRequest(`http://127.0.0.1:${port}`, {
        ...rest,
        headers: all,
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      return { status: 0, headers: new Headers(), text: error.message };
    }
  };

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
export const faultOf = ({ status, headers, text }: AttackAnswer): string | null => {
  if (status === 0) return `no answer: ${text}`;
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 200)}`;
  const fault = faultOfForm({ status, text, headers: Object.fromEntries(headers) });
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};
