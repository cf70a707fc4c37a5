import { type Command, InvalidArgumentError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

export interface AskNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

/** Which service, with whose key, and how its answers are shown. */
export interface Access {
  readonly url: string;
  readonly key?: string;
  readonly json?: true;
}

const ErrorBody = t.type({ detail: t.union([t.string, t.type({ code: t.string, message: t.string })]) });
const patience_ms = 60_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const described = (status: number, text: string): string => {
  const body = ErrorBody.decode(parsed(text));
  if (E.isLeft(body)) return `${status} ${text.slice(0, 200)}`;
  const { detail } = body.right;
  return `${status} ${typeof detail === 'string' ? detail : `${detail.code}: ${detail.message}`}`;
};

/** Why `fetch` has no answer: what it says itself is only that. */
const unanswered = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause && cause.code === 'ECONNREFUSED'
    ? 'nothing listens there; start the service, or give its address with --url, MEDIA_ANALYSIS_URL or PORT'
    : cause.message;
};

const httpUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('It is not an http address.');
};

const usualPort = '8080';

/** Where a service is looked for that nobody named: on this machine, at the port that `PORT` tells a service to take. */
export const serviceUrl = ({ MEDIA_ANALYSIS_URL: url = '', PORT: port = '' }: AskNeeds['env']): string =>
  url === '' ? `http://127.0.0.1:${/^[1-9]\d{0,4}$/.test(port) ? port : usualPort}` : url;

/** Adds `--url`, `--key` and `--json` to a command. */
export const withAccess = (command: Command, { env }: AskNeeds): Command =>
  command
    .option('--url <base>', 'the service', httpUrl, serviceUrl(env))
    .option('--key <key>', 'an API key (default: MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY)')
    .option('--json', "print the service's answer as it is");

/** Asks a running service; rejects with what it said when it does not answer 200 with what is asked for. */
export const askService = async <Answer>(
  { env }: AskNeeds,
  { url, key }: Access,
  answer: t.Decoder<unknown, Answer>,
  [method, path, body]: readonly [method: string, path: string, body?: object | undefined],
): Promise<{ readonly answer: Answer; readonly text: string }> => {
  const apiKey = key ?? env['MEDIA_ANALYSIS_API_KEY'] ?? env['ADMIN_API_KEY'];
  if (apiKey === undefined) throw new Error('no API key: give --key, or set MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY');
  const response = await fetch(new URL(path, url), {
    method,
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(patience_ms),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Error(`no answer from ${url}: ${unanswered(error)}`);
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${described(response.status, text)}`);
  const decoded = answer.decode(parsed(text));
  if (E.isLeft(decoded)) throw new Error(`${method} ${path}: the answer is not what this service sends`);
  return { answer: decoded.right, text };
};
