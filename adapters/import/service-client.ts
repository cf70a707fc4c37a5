import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/** Where the service is and who asks. */
export interface ServiceAccess {
  /** The service's base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key that holds `WORKER` or is an admin's. */
  readonly key: string;
}

/** A request that did not succeed: `status` is null when no answer came. */
export interface RequestFailure {
  readonly status: number | null;
  readonly message: string;
}

type Method = 'GET' | 'POST' | 'PUT';

const timeoutMilliseconds = 120_000;

const Detail = t.union([
  t.string,
  t.intersection([
    t.type({ code: t.string, message: t.string }),
    t.partial({ errors: t.array(t.type({ path: t.string, message: t.string })) }),
  ]),
]);
const ErrorBody = t.type({ detail: Detail });

const shownErrors = 5;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const printable = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);

/** `422 malformed_body: the body is not valid (faces[3].tracks[0].end: before its start)` */
const describeAnswer = (status: number, text: string): string => {
  const decoded = ErrorBody.decode(parseJson(text));
  if (E.isLeft(decoded)) return `${status} ${printable(text)}`.trimEnd();
  const { detail } = decoded.right;
  if (typeof detail === 'string') return `${status} ${detail}`;
  const errors = detail.errors ?? [];
  const more = errors.length > shownErrors ? `; and ${errors.length - shownErrors} more` : '';
  const listed = errors.slice(0, shownErrors).map(({ path, message }) => `${path}: ${message}`);
  return `${status} ${detail.code}: ${detail.message}${errors.length === 0 ? '' : ` (${listed.join('; ')}${more})`}`;
};

/** `fetch` says only that it failed; the cause says why. */
const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMilliseconds / 1000} s`;
  const { cause } = error;
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(describeFailure).join('; ');
  return cause instanceof Error ? cause.message : error.message;
};

const answerOf = async (
  access: ServiceAccess,
  method: Method,
  path: string,
  body: string | null,
): Promise<{ ok: boolean; status: number; text: string }> => {
  const response = await fetch(`${access.url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { 'x-api-key': access.key, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body,
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  return { ok: response.ok, status: response.status, text: await response.text() };
};

/** One request of JSON to the service, its answer decoded. */
export const request = async <Answer>(
  access: ServiceAccess,
  answer: t.Decoder<unknown, Answer>,
  method: Method,
  path: string,
  body: string | null = null,
): Promise<E.Either<RequestFailure, Answer>> => {
  try {
    const { ok, status, text } = await answerOf(access, method, path, body);
    if (!ok) return E.left({ status, message: `${method} ${path}: ${describeAnswer(status, text)}` });
    return E.mapLeft((): RequestFailure => ({
      status,
      message: `${method} ${path}: the answer is not what this service sends`,
    }))(answer.decode(parseJson(text)));
  } catch (error) {
    const elsewhere = 'start the service there, or say where it is with --url, MEDIA_ANALYSIS_URL or PORT';
    return E.left({
      status: null,
      message: `no answer from ${access.url} to ${method} ${path}: ${describeFailure(error)}; ${elsewhere}`,
    });
  }
};
