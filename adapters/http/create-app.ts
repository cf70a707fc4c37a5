import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Application } from '../../application/application.js';
import { nextTurn } from '../runtime/event-loop.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { evidenceLists } from '../../application/evidence/evidence-lists.js';
import type { Realtime } from '../../application/realtime/realtime.js';
import type { NameInference } from '../../application/name-inference/name-inference.js';
import type { ProviderDocuments } from '../../application/ports/provider-documents.js';
import type { Queries } from '../../projections/queries.js';
import type { Authenticate } from './authenticate.js';
import { byteBudget } from './bodies/byte-budget.js';
import type { LargeBodies } from './bodies/large-bodies.js';
import { readBytes } from './bodies/read-bytes.js';
import { cors } from './cors.js';
import type { Place } from './declared.js';
import type { Endpoint } from './endpoint.js';
import { serveDocuments } from './documents.js';
import { coded } from './http-error.js';
import { inTurn } from './in-turn.js';
import { type Readiness, serveOpen } from './open-endpoints.js';
import { requestId, requestIdOf } from './request-id.js';
import { accessEndpoints } from './routes/access.js';
import { auditEndpoints } from './routes/audit.js';
import { audioEndpoints } from './routes/audios.js';
import { creditEndpoints } from './routes/credits.js';
import { evidenceEndpoints } from './routes/evidence.js';
import { meEndpoints } from './routes/me.js';
import { matchRunEndpoints } from './routes/match-runs.js';
import { matchStatusEndpoints } from './routes/match-status.js';
import { decisionEndpoints } from './routes/decisions.js';
import { reviewEndpoints } from './routes/review.js';
import { matchingEndpoints } from './routes/matching.js';
import { undoEndpoints } from './routes/undo.js';
import { speakerEndpoints } from './routes/speakers.js';
import { nameInferenceEndpoints } from './routes/name-inference.js';
import { tagRegistryEndpoints } from './routes/tag-registry.js';
import { tagEndpoints } from './routes/tags.js';
import { type RealtimeAddress, realtimeEndpoints } from './routes/realtime.js';
import { videoEndpoints } from './routes/videos.js';
import { sendError } from './send-json.js';
import { serveConsole } from './serve-console.js';
import { serveEndpoint } from './serve-endpoint.js';
import type { Freshness, Service } from './service.js';
import { unsentAnswers } from './unsent-answers.js';

export interface HttpNeeds {
  readonly app: Application;
  readonly queries: Queries;
  readonly authenticate: Authenticate;
  readonly readiness: Readiness;
  readonly inference: NameInference;
  readonly documents: ProviderDocuments;
  readonly largeBodies: LargeBodies;
  readonly realtime: Realtime;
  /** Where clients find the results of realtime sessions. */
  readonly address: RealtimeAddress;
  readonly freshness: Freshness;
  /** Origins of pages that may read answers; `*`: all. */
  readonly cors_allowed_origins: ReadonlyArray<string>;
}

/** Every endpoint of the interface: its routes are served from these, and its description can be made of them. */
export const endpoints = (
  service: Service,
  { inference, documents, realtime, address }: Pick<HttpNeeds, 'inference' | 'documents' | 'realtime' | 'address'>,
): ReadonlyArray<Endpoint> => [
  ...realtimeEndpoints(service, realtime, address),
  ...matchingEndpoints(service),
  ...decisionEndpoints(service),
  ...reviewEndpoints(service),
  ...undoEndpoints(service),
  ...matchStatusEndpoints(service),
  ...matchRunEndpoints(service),
  ...videoEndpoints(service, documents),
  ...tagEndpoints(service),
  ...tagRegistryEndpoints(service),
  ...audioEndpoints(service, documents),
  ...evidenceEndpoints(service, evidenceLists(service.app, nextTurn)),
  ...speakerEndpoints(service),
  ...nameInferenceEndpoints(service, inference),
  ...accessEndpoints(service),
  ...meEndpoints(service),
  ...creditEndpoints(service),
  ...auditEndpoints(service),
];

const wrongMethod = (server: Express, served: ReadonlyArray<Pick<Place, 'path' | 'method'>>): void => {
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const ofPath = served.filter((endpoint) => endpoint.path === path);
    const allow = ofPath.map(({ method }) => method.toUpperCase()).join(', ');
    server.all(path, (request, response) =>
      sendError(response, {
        status: 405,
        detail: { code: 'method_not_allowed', message: `The method ${request.method} is not allowed for this path` },
        headers: { Allow: allow },
      }),
    );
  }
};

/** RFC 9112, 3.2. */
const hostRequired: RequestHandler = (request, response, next) => {
  if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return next();
  return sendError(response, coded(400, 'bad_request', 'The Host header is missing'));
};

const unknownPath: RequestHandler = (_, response) => sendError(response, { status: 404, detail: 'Not found' });

/** A path that begins with an empty segment names nothing; express would take `//` for `/`. */
const emptySegment: RequestHandler = (request, response, next) =>
  request.url.startsWith('//') ? unknownPath(request, response, next) : next();

const unexpected =
  ({ log }: Application): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof URIError) return sendError(response, { status: 404, detail: 'Not found' });
    // A file that is not as the request wants it: another range, or an unchanged one.
    if (error instanceof Error && 'status' in error && (error.status === 412 || error.status === 416))
      return sendError(response, { status: error.status, detail: error.message });
    const reason = error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown';
    log.error('request failed unexpectedly', { request_id: requestIdOf(response), reason });
    return sendError(response, { status: 500, detail: { code: 'internal_error', message: 'Internal server error' } });
  };

/** The HTTP interface as an express application. */
export const createApp = (needs: HttpNeeds): Express => {
  const { app, queries, authenticate } = needs;
  const { wrote, upTo, started, revoked } = needs.freshness;
  const service: Service = {
    app,
    queries,
    upToDate: () => upTo(null),
    keyRevoked: (key_id) => void revoked.add(key_id),
  };
  const server = express();
  server.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  server.use(requestId, hostRequired, cors(needs.cors_allowed_origins), emptySegment);
  const unkeyed = serveOpen(server, needs);
  server.use(inTurn());
  const served = endpoints(service, needs);
  const documents = serveDocuments(server, served);
  const serving = {
    authenticate,
    now: app.clock.now,
    log: app.log,
    isPosition: app.store.isPosition,
    budget: byteBudget(),
    unsent: unsentAnswers(),
    read: readBytes(needs.largeBodies),
    keyed: keyedWrites(app, needs.realtime.instance_id),
    keyedDigest: app.keys.digest,
    wrote,
    upTo,
    started,
  };
  for (const endpoint of served) server[endpoint.method](endpoint.path, serveEndpoint(serving, endpoint));
  wrongMethod(server, [...served, ...unkeyed, ...documents]);
  serveConsole(server);
  server.use(unknownPath);
  server.use(unexpected(app));
  return server;
};
