import * as E from 'fp-ts/lib/Either.js';
import http, { type IncomingMessage, validateHeaderValue } from 'node:http';
import https from 'node:https';
import { boundedBytes } from '../../runtime/memory.js';
import * as t from 'io-ts';
import { isDeepStrictEqual } from 'node:util';
import type { NameAnswer, NameModel, NameModelFailed } from '../../../application/ports/name-model.js';
import { type ModelAnswer, Proposal } from '../../../domain/grounding/proposal.js';
import { mergeAnswers, Tokens } from '../tokens.js';
import { requestBodies, tokenRange } from './requests.js';
import { parsedJson } from '../../runtime/json.js';

/** Answers about a few hundred speakers take kilobytes. */
const maxBodyBytes = 2 * 1024 * 1024;

/** The response cannot be used. */
class UnusableResponse extends Error {}

/** The body of a response with status 200. Other responses are not read, and their connection is closed. */
const bodyOf = async (response: IncomingMessage): Promise<string> => {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new UnusableResponse(`the response has status ${response.statusCode}`);
  }
  const body = boundedBytes(maxBodyBytes);
  const chunks: AsyncIterable<Uint8Array> = response;
  for await (const chunk of chunks)
    if (!body.add(chunk)) throw new UnusableResponse(`the response is larger than ${maxBodyBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body.bytes());
  } catch {
    throw new UnusableResponse('the response is not UTF-8');
  }
};

/** Of other errors only the code is told, because the message may contain the URL. */
const reasonOf = (error: unknown): string => {
  if (error instanceof UnusableResponse) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return `the connection to the model failed (${code})`;
};

/**
 * Posts JSON, without following redirects, on a connection of its own, so that none is used that turns out to be dead.
 * Returns the body of a response with status 200, or why there is none. Nothing is sent twice, because each request may
 * be billed. Aborting the signal ends the request at once.
 */
const postJson = async (
  url: URL,
  authorization: http.OutgoingHttpHeaders,
  body: string,
  signal: AbortSignal,
): Promise<E.Either<string, string>> => {
  const headers = {
    ...authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const { request: begin } = url.protocol === 'https:' ? https : http;
  try {
    const request = begin(url, { method: 'POST', headers, signal, agent: false });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
      request.on('close', () => reject(new UnusableResponse('the connection was closed without a response')));
    });
    request.end(body);
    return E.right(await bodyOf(await response));
  } catch (error) {
    return E.left(reasonOf(error));
  }
};

const orNull = <Codec extends t.Mixed>(codec: Codec) => t.union([codec, t.null]);

const Choice = t.intersection([
  t.type({ message: t.partial({ content: orNull(t.string), refusal: orNull(t.string) }) }),
  t.partial({ finish_reason: orNull(t.string) }),
]);
type Choice = t.TypeOf<typeof Choice>;
const Completion = t.type({ choices: t.array(Choice) });

const Billed = t.type({ usage: t.type({ total_tokens: Tokens }) });

const ExactAnswer = t.exact(t.type({ speakers: t.readonlyArray(t.exact(Proposal)) }));

const incompleteReasons = new Map([
  ['content_filter', 'the answer was filtered'],
  ['length', 'the answer was truncated at the maximum length'],
]);

const contentOf = ({ message: { content, refusal }, finish_reason }: Choice): E.Either<string, string> => {
  if (typeof refusal === 'string' && refusal !== '') return E.left('refused to answer');
  const reason = incompleteReasons.get(finish_reason ?? '');
  if (reason !== undefined) return E.left(reason);
  return typeof content === 'string' ? E.right(content) : E.left('the answer has no content');
};

/** Accepts exactly the requested shape: no code fence around it, no additional fields. */
const answerOf = (content: string): E.Either<string, ModelAnswer> => {
  const parsed = parsedJson(content);
  const answer = ExactAnswer.decode(parsed);
  return E.isRight(answer) && isDeepStrictEqual(answer.right, parsed)
    ? answer
    : E.left('the answer does not have the requested shape');
};

/**
 * The answer in a chat completion. Refusals, truncated answers and answers of another shape are failures, and so is a
 * response without `usage.total_tokens`, which is needed for billing.
 */
const readCompletion = (body: string): E.Either<string, NameAnswer> => {
  const completion = parsedJson(body);
  const [choice] = Completion.is(completion) ? completion.choices : [];
  if (choice === undefined) return E.left('the response is not a chat completion');
  const content = contentOf(choice);
  if (E.isLeft(content)) return content;
  if (!Billed.is(completion)) return E.left('the response has no usage.total_tokens');
  const { total_tokens } = completion.usage;
  return E.map(({ speakers }: ModelAnswer) => ({ proposals: speakers, total_tokens }))(answerOf(content.right));
};

export interface ChatSettings {
  /** An OpenAI-compatible API: the base URL (`https://models.example/v1`) or the URL of its chat completions. */
  readonly url: string;
  /** Sent as a bearer token; never logged. */
  readonly api_key: string | null;
  readonly model: string;
  /** The time limit for all requests of a question together. */
  readonly timeout_seconds: number;
  /** The context window of the model, including the answer. Longer transcripts are sent in overlapping chunks. */
  readonly context_tokens: number;
}

export interface ChatNameModel extends NameModel {
  /** Aborts pending requests. */
  readonly close: () => Promise<void>;
}

const completionsPath = '/chat/completions';

/**
 * The URL of chat completions, from a base URL (`https://models.example/v1`) or the full one
 * (`https://models.example/v1/chat/completions`). A query is kept. Throws if the address is not valid, without repeating
 * it, because it may contain a secret.
 */
const completionsUrl = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error("the name model's URL is not an http(s) URL");
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith(completionsPath) ? base : `${base}${completionsPath}`;
  return url;
};

const headersWith = (key: string | null): Record<string, string> => {
  if (key === null) return {};
  const authorization = `Bearer ${key}`;
  validateHeaderValue('authorization', authorization);
  return { authorization };
};

const failed = (reason: string): NameModelFailed => ({ _tag: 'NameModelFailed', reason });

/**
 * Infers names with a chat completions endpoint. Error reasons never contain the key, the URL or words of the transcript.
 * An empty transcript is answered without a request. Throws if the URL or the key is not valid.
 */
export const chatNameModel = (settings: ChatSettings): ChatNameModel => {
  const { model, timeout_seconds, context_tokens } = settings;
  const url = completionsUrl(settings.url);
  const headers = headersWith(settings.api_key);
  const closing = new AbortController();
  const pending = new Set<Promise<unknown>>();
  const ask = async (bodies: ReadonlyArray<string>, signal: AbortSignal): Promise<E.Either<string, NameAnswer>> => {
    const answers: Array<NameAnswer> = [];
    for (const body of bodies) {
      const answer = E.chain(readCompletion)(await postJson(url, headers, body, signal));
      if (E.isLeft(answer)) return answer;
      answers.push(answer.right);
    }
    return E.right(mergeAnswers(answers));
  };
  const infer: NameModel['infer'] = (question) => async () => {
    const bodies = requestBodies(question, model, context_tokens);
    if (E.isLeft(bodies)) return E.left(failed(bodies.left));
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(Math.round(timeout_seconds * 1_000))]);
    const asking = ask(bodies.right, signal);
    pending.add(asking);
    const answer = await asking;
    pending.delete(asking);
    const abortReason = closing.signal.aborted ? 'the model is closed' : `no answer within ${timeout_seconds} s`;
    return E.mapLeft((reason: string) => failed(signal.aborted ? abortReason : reason))(answer);
  };
  const close = async () => {
    closing.abort();
    await Promise.allSettled(pending);
  };
  const estimate: NameModel['estimate'] = (question) => tokenRange(question, model, context_tokens);
  return { name: model, infer, estimate, close };
};
