import type { Socket } from 'node:net';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Log } from '../../application/ports/log.js';
import type { Place } from './endpoint.js';
import { idOfRequest, requestIdHeader, requestIdOf } from './headers.js';
import { coded } from './http-error.js';
import { sendError } from './send-json.js';

/** Sets the `X-Request-Id` of every answer. */
export const setRequestId: RequestHandler = (request, response, next) => {
  response.set(requestIdHeader, idOfRequest(request));
  next();
};

/** RFC 9112, section 3.2: HTTP/1.1 requests must have a Host header. */
export const requireHost: RequestHandler = (request, response, next) => {
  if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return next();
  return sendError(response, coded(400, 'bad_request', 'The Host header is missing'));
};

export const unknownPath: RequestHandler = (_, response) => sendError(response, { status: 404, detail: 'Not found' });

/** Refuses paths that begin with an empty segment: express would treat `//` like `/`. */
export const refuseEmptySegment: RequestHandler = (request, response, next) =>
  request.url.startsWith('//') ? unknownPath(request, response, next) : next();

/** Answers requests with an unsupported method on a known path. */
export const refuseOtherMethods = (server: Express, served: ReadonlyArray<Pick<Place, 'path' | 'method'>>): void => {
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const ofPath = served.filter((endpoint) => endpoint.path === path);
    const allow = ofPath.map(({ method }) => method.toUpperCase()).join(', ');
    // `server.all` would register one handler for each of 34 methods, which takes most of the time to start.
    server.route(path).all((request, response) =>
      sendError(response, {
        ...coded(405, 'method_not_allowed', `The method ${request.method} is not allowed for this path`),
        headers: { Allow: allow },
      }),
    );
  }
};

/** Answers requests whose handling threw. The log gets the name and place of the error, but no text that may be personal. */
export const handleErrors =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof URIError) return sendError(response, { status: 404, detail: 'Not found' });
    // Conditional and range requests for static files.
    if (error instanceof Error && 'status' in error && (error.status === 412 || error.status === 416))
      return sendError(response, { status: error.status, detail: error.message });
    const reason = error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown';
    log.error('request failed unexpectedly', { request_id: requestIdOf(response), reason });
    return sendError(response, coded(500, 'internal_error', 'Internal server error'));
  };

const methods = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-API-Key',
  'X-Min-Position',
  requestIdHeader,
].join(', ');
const exposedHeaders = [
  requestIdHeader,
  'X-Event-Position',
  'ETag',
  'Retry-After',
  'X-Run-Id',
  'X-Model',
  'Idempotency-Replayed',
  'X-Ignored-Parameters',
].join(', ');
const preflightSeconds = 600;

/**
 * Lets pages of the allowed origins (`*`: all) read answers, and answers their preflight requests with 204. API keys are
 * sent in headers and cookies are never used, so no page can act on behalf of a user. Without allowed origins, no answer
 * is changed.
 */
export const cors =
  (allowed: ReadonlyArray<string>): RequestHandler =>
  (request, response, next) => {
    if (allowed.length === 0) return next();
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(allowed.includes('*') || allowed.includes(origin.toLowerCase()))) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return next();
    response.set({
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightSeconds),
    });
    response.statusCode = 204;
    response.end();
  };

/** After this many turns of the event loop without a new request, a burst of arrivals is over. */
const quietTurns = 2;
/** Arriving requests are let in for at most this time before the next one starts, in milliseconds. */
const maxArrivalMs = 10;
/** No further request starts in a turn of the event loop that has worked for this time, in milliseconds. */
const maxTurnMs = 15;
/** Rounds of ticks and microtasks in which a request with a small body, already received, is served. */
const maxRounds = 6;

/** Calls back once the work in progress has nothing left to do in this turn of the event loop. */
const afterRounds = (rounds: number, next: () => void): void => {
  if (rounds === 0) next();
  else queueMicrotask(() => process.nextTick(afterRounds, rounds - 1, next));
};

/**
 * Starts requests one after the other, each once the previous one has done what it can do without waiting, and only for a
 * few milliseconds in one turn of the event loop. Arriving requests are let in first, since one connection is accepted per
 * turn. So if a thousand requests arrive at once, none delays the others by more than its own work; what is served before
 * this middleware, such as health checks, is answered in between; and the appends of requests that start in one turn can
 * share a transaction. A single request on a known connection starts without waiting for others.
 */
export const staggerRequests = (): RequestHandler => {
  const queue: Array<() => void> = [];
  const known = new WeakSet<Socket>();
  let arrived = 0;
  let isRunning = false;
  let lastIsNew = false;
  const start = (since: number): void => {
    queue.shift()?.();
    afterRounds(maxRounds, () => {
      if (queue.length === 0) isRunning = false;
      else if (performance.now() - since < maxTurnMs) start(since);
      else setImmediate(() => awaitArrivals(performance.now(), arrived, 0));
    });
  };
  const awaitArrivals = (since: number, arrivedBefore: number, quietBefore: number): void => {
    const quiet = arrived === arrivedBefore ? quietBefore + 1 : 0;
    const isSingle = queue.length === 1 && !lastIsNew;
    if (!isSingle && quiet < quietTurns && performance.now() - since < maxArrivalMs)
      setImmediate(awaitArrivals, since, arrived, quiet);
    else start(performance.now());
  };
  const turn = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      arrived += 1;
      lastIsNew = !known.has(socket);
      known.add(socket);
      queue.push(resolve);
      if (!isRunning) setImmediate(() => awaitArrivals(performance.now(), arrived, 0));
      isRunning = true;
    });
  return async (request, _, next) => {
    await turn(request.socket);
    if (!request.socket.destroyed) next();
  };
};
