import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { Log } from '../../application/ports/log.js';
import { type Place, type Service, places } from './endpoint.js';
import { type Authenticate, idOfRequest, requestIdHeader, requestIdOf } from './request-head.js';
import { coded, unexpected } from './refusals/refusal.js';
import { sendError } from './answer.js';
import type { RequestListener } from 'node:http';
import type { Refusal } from './refusals/refusals.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { evidenceLists } from '../../application/evidence/evidence-lists.js';
import type { Threads } from '../runtime/threads.js';
import { bodyReading } from './body.js';
import { endpoints } from './endpoints.js';
import { serveDocuments, serveConsole } from './serve-pages.js';
import { type Readiness, serveOpen } from './open-endpoints.js';
import type { Freshness } from '../../application/queries/request-checks.js';
import { serveEndpoint, requestsAtWork } from './serve-endpoint.js';

/** Sets the `X-Request-Id` of every answer. */
const setRequestId: RequestHandler = (request, response, next) => {
  response.set(requestIdHeader, idOfRequest(request));
  next();
};

/** RFC 9112, section 3.2: HTTP/1.1 requests must have a Host header. */
const requireHost: RequestHandler = (request, response, next) => {
  if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return next();
  return sendError(response, coded(400, 'bad_request', 'The Host header is missing'));
};

/** Says what the other version has at a path, with the same method if it has that; empty if it has nothing. */
const underOtherVersion = ({ method, path }: Pick<Request, 'method' | 'path'>): string => {
  const other = path.replace(/^\/v([12])\//i, (_, version) => `/v${3 - Number(version)}/`);
  const isThere = ({ template }: Pick<Place, 'template'>): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i').test(other);
  const there = other === path ? [] : places.filter(isThere);
  const found = there.find((place) => place.method === method.toLowerCase()) ?? there[0];
  return found === undefined ? '' : `: did you mean ${found.method.toUpperCase()} ${found.template}?`;
};

const unknownPath: RequestHandler = (request, response) =>
  sendError(response, { status: 404, detail: `Not found${underOtherVersion(request)}` });

/** Refuses paths that begin with an empty segment: express would treat `//` like `/`. */
const refuseEmptySegment: RequestHandler = (request, response, next) =>
  request.url.startsWith('//') ? unknownPath(request, response, next) : next();

/** Answers requests with an unsupported method on a known path. */
const refuseOtherMethods = (server: Express, served: ReadonlyArray<Pick<Place, 'path' | 'method'>>): void => {
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const ofPath = served.filter((endpoint) => endpoint.path === path);
    const allow = ofPath.map(({ method }) => method.toUpperCase()).join(', ');
    // `server.all` would register one handler for each of 34 methods, which takes most of the time to start.
    server.route(path).all((request, response) =>
      sendError(response, {
        ...coded(
          405,
          'method_not_allowed',
          `The method ${request.method} is not allowed for this path${underOtherVersion(request)}`,
        ),
        headers: { Allow: allow },
      }),
    );
  }
};

/** Answers requests whose handling threw. The log gets the name and place of the error, but no text that may be personal. */
const handleErrors =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof URIError) return sendError(response, { status: 404, detail: 'Not found' });
    // Conditional and range requests for static files.
    if (error instanceof Error && 'status' in error && (error.status === 412 || error.status === 416))
      return sendError(response, { status: error.status, detail: error.message });
    const reason = error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown';
    log.error('request failed unexpectedly', { request_id: requestIdOf(response), reason });
    return sendError(response, unexpected);
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
  'X-Refusal-Reason',
].join(', ');
const preflightSeconds = 600;

/**
 * Lets pages of the allowed origins (`*`: all) read answers, and answers their preflight requests with 204. API keys are
 * sent in headers and cookies are never used, so no page can act on behalf of a user. Without allowed origins, no answer
 * is changed.
 */
const cors =
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

/** What the HTTP interface depends on. */
export interface HttpNeeds extends Pick<
  Service,
  'app' | 'queries' | 'inference' | 'documents' | 'realtime' | 'public_url'
> {
  readonly authenticate: Authenticate;
  readonly readiness: Readiness;
  readonly threads: Threads;
  readonly freshness: Freshness;
  /** Origins whose pages may read answers; `*`: all. */
  readonly cors_allowed_origins: ReadonlyArray<string>;
  /** How many requests of one account are served at the same time. */
  readonly max_requests_per_account: number;
}

/** The HTTP interface: an express application. */
export const createApp = (needs: HttpNeeds): RequestListener => {
  const { app, authenticate, realtime, freshness } = needs;
  const service: Service = {
    ...needs,
    evidence: evidenceLists(app),
    upToDate: () => freshness.upTo(null),
    keyRevoked: (key_id) => freshness.revoked.set(key_id, true),
  };
  const server = express();
  server.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  server.use(setRequestId, requireHost, cors(needs.cors_allowed_origins), refuseEmptySegment);
  const open = serveOpen(server, needs);
  const described = serveDocuments(server, endpoints);
  const serving = {
    service,
    authenticate,
    freshness,
    atWork: requestsAtWork(needs.max_requests_per_account),
    read: bodyReading(needs.threads),
    keyed: keyedWrites<Refusal>(app, realtime.instance_id),
  };
  for (const endpoint of endpoints) server[endpoint.method](endpoint.path, serveEndpoint(serving, endpoint));
  refuseOtherMethods(server, [...endpoints, ...open, ...described]);
  serveConsole(server);
  server.use(unknownPath);
  server.use(handleErrors(app.log));
  return server;
};
