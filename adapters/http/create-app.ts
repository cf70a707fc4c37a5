import type { RequestListener } from 'node:http';
import express from 'express';
import type { Refusal } from './refusals/refusals.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { evidenceLists } from '../../application/evidence/evidence-lists.js';
import type { Authenticate } from './authenticate.js';
import type { Threads } from '../runtime/threads.js';
import { bodyReading } from './body.js';
import type { Service } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { serveDocuments, serveConsole } from './serve-pages.js';
import {
  cors,
  handleErrors,
  refuseEmptySegment,
  refuseOtherMethods,
  requireHost,
  setRequestId,
  unknownPath,
} from './middleware.js';
import { type Readiness, serveOpen } from './open-endpoints.js';
import { serveEndpoint, requestsAtWork } from './serve-endpoint.js';
import type { Freshness } from './service.js';

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
