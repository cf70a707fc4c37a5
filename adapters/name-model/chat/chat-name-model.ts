import { validateHeaderValue } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { runInParts } from '../../../application/ports/event-loop.js';
import type { NameAnswer, NameModel, NameModelFailed } from '../../../application/ports/name-model.js';
import { readCompletion } from './completion.js';
import { completionsUrl } from './completions-url.js';
import { type Connection, connectionTo } from './connection.js';
import { yieldIfBusy } from '../../runtime/event-loop.js';
import { mergeAnswers } from '../merge-answers.js';
import { requestBodies } from './requests.js';
import { tokenRange } from './token-range.js';

export interface ChatSettings {
  /** An OpenAI-compatible API: its base address (`https://models.example/v1`) or that of its chat completions. */
  readonly url: string;
  /** Sent as a bearer token, and told nowhere else. */
  readonly api_key: string | null;
  readonly model: string;
  /** For all of a question, however many requests it takes. */
  readonly timeout_seconds: number;
  /** What the model takes in, answer included; a longer transcript is asked about in overlapping chunks. */
  readonly context_tokens: number;
}

export interface ChatNameModel extends NameModel {
  /** Breaks off what is being asked and ends the connections. */
  readonly close: () => Promise<void>;
}

const headersWith = (key: string | null): Record<string, string> => {
  if (key === null) return {};
  const authorization = `Bearer ${key}`;
  validateHeaderValue('authorization', authorization);
  return { authorization };
};

const askInTurn = async (
  { post }: Connection,
  bodies: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<E.Either<string, NameAnswer>> => {
  const answers: Array<NameAnswer> = [];
  for (const body of bodies) {
    const answer = E.chain(readCompletion)(await post(body, signal));
    if (E.isLeft(answer)) return answer;
    answers.push(answer.right);
  }
  return E.right(mergeAnswers(answers));
};

const failed = (reason: string): NameModelFailed => ({ _tag: 'NameModelFailed', reason });

/**
 * Asks a chat completions endpoint who the speakers are. A reason never holds the key, the address or words of the
 * transcript. An empty transcript is answered without a request. Throws when the address or the key cannot be used.
 */
export const chatNameModel = (settings: ChatSettings): ChatNameModel => {
  const { model, timeout_seconds, context_tokens } = settings;
  const connection = connectionTo(completionsUrl(settings.url), headersWith(settings.api_key));
  const underWay = new Map<AbortController, Promise<unknown>>();
  let closed = false;
  const infer: NameModel['infer'] = (question) => async () => {
    const bodies = await runInParts(yieldIfBusy, requestBodies(question, model, context_tokens));
    if (E.isLeft(bodies)) return E.left(failed(bodies.left));
    if (closed) return E.left(failed('the model is closed'));
    const controller = new AbortController();
    const { signal } = controller;
    const deadline = setTimeout(() => controller.abort(), timeout_seconds * 1_000);
    const asking = askInTurn(connection, bodies.right, signal);
    underWay.set(controller, asking);
    const answer = await asking;
    clearTimeout(deadline);
    underWay.delete(controller);
    const brokenOff = closed ? 'the model is closed' : `no answer within ${timeout_seconds} s`;
    return E.mapLeft((reason: string) => failed(signal.aborted ? brokenOff : reason))(answer);
  };
  const close = async () => {
    closed = true;
    for (const controller of underWay.keys()) controller.abort();
    await Promise.allSettled(underWay.values());
    connection.close();
  };
  const estimate: NameModel['estimate'] = (question, turns) =>
    runInParts(turns, tokenRange(question, model, context_tokens));
  return { name: model, infer, estimate, close };
};
