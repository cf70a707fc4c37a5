import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Application } from '../../application/application.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Queries } from '../../projections/queries.js';
import type { Authenticate } from './authenticate.js';
import type { Endpoint } from './endpoint.js';
import { requestId, requestIdOf } from './request-id.js';
import { accessEndpoints } from './routes/access.js';
import { audioEndpoints } from './routes/audios.js';
import { matchStatusEndpoints } from './routes/match-status.js';
import { matchingEndpoints } from './routes/matching.js';
import { speakerEndpoints } from './routes/speakers.js';
import { videoEndpoints } from './routes/videos.js';
import { sendError, serveEndpoint } from './serve-endpoint.js';
import { type Service, freshness } from './service.js';

/** Whether the service can serve now, and if not, why. */
export type Readiness = () => Promise<{ readonly ready: boolean; readonly reasons: ReadonlyArray<string> }>;

export interface HttpNeeds {
  readonly app: Application;
  readonly queries: Queries;
  readonly authenticate: Authenticate;
  readonly readiness: Readiness;
  /** The newest position of the log when the service started. */
  readonly startedAt: Position | null;
}

/** Every endpoint of the interface: its routes are served from these, and its description can be made of them. */
export const endpoints = (service: Service): ReadonlyArray<Endpoint> => [
  ...matchingEndpoints(service),
  ...matchStatusEndpoints(service),
  ...videoEndpoints(service),
  ...audioEndpoints(service),
  ...speakerEndpoints(service),
  ...accessEndpoints(service),
];

const health = (server: Express, readiness: Readiness): void => {
  server.get('/healthz', (_, response) => void response.json({ status: 'ok' }));
  server.get('/readyz', async (_, response) => {
    const { ready, reasons } = await readiness();
    if (ready) response.json({ status: 'ready' });
    else response.status(503).set('Retry-After', '1').json({ status: 'not_ready', reasons });
  });
};

const wrongMethod = (server: Express, served: ReadonlyArray<Pick<Endpoint, 'path' | 'method'>>): void => {
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const ofPath = served.filter((endpoint) => endpoint.path === path);
    const allow = ofPath.map(({ method }) => method.toUpperCase()).join(', ');
    server.all(path, (request, response) =>
      sendError(response, {
        status: 405,
        detail: { code: 'method_not_allowed', message: `${request.method} is not allowed here` },
        headers: { Allow: allow },
      }),
    );
  }
};

const unknownPath: RequestHandler = (_, response) => sendError(response, { status: 404, detail: 'Not found' });

const unexpected =
  ({ log }: Application): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof URIError) return sendError(response, { status: 404, detail: 'Not found' });
    const reason = error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown';
    log.error('request broke', { request_id: requestIdOf(response), reason });
    return sendError(response, { status: 500, detail: { code: 'internal_error', message: 'The server failed' } });
  };

/** The HTTP interface as an express application. */
export const createApp = ({ app, queries, authenticate, readiness, startedAt }: HttpNeeds): Express => {
  const { wrote, upTo, started } = freshness(queries, startedAt);
  const service: Service = { app, queries, upToDate: () => upTo(null) };
  const server = express();
  server.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  server.use(requestId);
  health(server, readiness);
  const served = endpoints(service);
  const serving = { authenticate, now: app.clock.now, log: app.log, wrote, upTo, started };
  for (const endpoint of served) server[endpoint.method](endpoint.path, serveEndpoint(serving, endpoint));
  wrongMethod(server, [...served, { path: '/healthz', method: 'get' }, { path: '/readyz', method: 'get' }]);
  server.use(unknownPath);
  server.use(unexpected(app));
  return server;
};
