import type { Express, Response } from 'express';
import type * as t from 'io-ts';
import { type Realtime, engineHealth } from '../../application/realtime/realtime.js';
import { EngineHealth, Health, Readiness as ReadinessAnswer } from './codecs/realtime.js';
import { type Place, placeOf } from './endpoint.js';
import { resultsPath } from './routes/realtime.js';
import { sendError, sendJson } from './answer.js';

/** Whether the service can handle requests, with the reasons if not, and warnings for the operator. */
export type Readiness = () => Promise<{
  readonly ready: boolean;
  readonly reasons: ReadonlyArray<string>;
  readonly warnings: ReadonlyArray<string>;
}>;

/** An endpoint that requires no API key. Its answer has the same shape with status 200 and 503. */
export interface OpenEndpoint<Answer extends t.Mixed = t.Mixed> extends Place {
  readonly summary: string;
  readonly description: string;
  readonly answer: Answer;
  readonly mayFail: boolean;
}

const health: OpenEndpoint<typeof Health> = {
  ...placeOf('service.health'),
  summary: 'Check that the process is running',
  description: 'Answers whenever the process is able to answer.',
  answer: Health,
  mayFail: false,
};
const readiness: OpenEndpoint<typeof ReadinessAnswer> = {
  ...placeOf('service.readiness'),
  summary: 'Check that the service can handle requests',
  description:
    'Answers 503 with the reasons while the event store is unreachable or the read models are behind. `warnings` are for operators.',
  answer: ReadinessAnswer,
  mayFail: true,
};
const ofEngine: OpenEndpoint<typeof EngineHealth> = {
  ...placeOf('sessions.health'),
  summary: 'Check that realtime sessions can be created',
  description: 'Answers 503 while the analysis engine is unreachable. Does not depend on the number of free sessions.',
  answer: EngineHealth,
  mayFail: true,
};

export const openEndpoints: ReadonlyArray<OpenEndpoint> = [health, readiness, ofEngine];

/** Sends an answer; 503 if `retryAfter` (in seconds) is not null. */
const send = <Answer extends t.Mixed>(
  { answer }: OpenEndpoint<Answer>,
  response: Response,
  body: t.TypeOf<NoInfer<Answer>>,
  retryAfter: number | null = null,
): void => {
  if (retryAfter !== null) response.set('Retry-After', String(retryAfter));
  sendJson(response, retryAfter === null ? 200 : 503, answer.encode(body));
};

/**
 * Serves the open endpoints, and a refusal on the path of the results socket, which accepts only upgrades. Returns the paths
 * and methods served.
 */
export const serveOpen = (
  server: Express,
  needs: { readonly readiness: Readiness; readonly realtime: Realtime },
): ReadonlyArray<Pick<Place, 'path' | 'method'>> => {
  server.get(health.path, (_, response) => send(health, response, { status: 'ok' }));
  server.get(readiness.path, async (_, response) => {
    const { ready, reasons, warnings: all } = await needs.readiness();
    const warnings = all.length === 0 ? {} : { warnings: all };
    if (ready) send(readiness, response, { status: 'ready', ...warnings });
    else send(readiness, response, { status: 'not_ready', reasons, ...warnings }, 1);
  });
  server.get(ofEngine.path, async (_, response) => {
    const { status, retry_after_seconds } = await engineHealth(needs.realtime)();
    const retry = retry_after_seconds === null ? {} : { retryable: true, retry_after_seconds };
    send(ofEngine, response, { status, ...retry }, retry_after_seconds);
  });
  server.get(resultsPath, (_, response) =>
    sendError(response, {
      status: 426,
      detail: {
        code: 'upgrade_required',
        message: 'Results are sent over a WebSocket: send a WebSocket upgrade request',
      },
      headers: { Upgrade: 'websocket' },
    }),
  );
  return [...openEndpoints, { path: resultsPath, method: 'get' }];
};
