import type { RequestListener } from 'node:http';
import express from 'express';
import type { Application } from '../../application/application.js';
import type { Refusal } from './refusals/refusals.js';
import { keyedWrites } from '../../application/idempotency/keyed-writes.js';
import { evidenceLists } from '../../application/evidence/evidence-lists.js';
import type { Realtime } from '../../application/realtime/realtime.js';
import type { NameInference } from '../../application/name-inference/name-inference.js';
import type { ProviderDocuments } from '../../application/ports/provider-documents.js';
import type { Queries } from '../../projections/queries.js';
import type { Authenticate } from './authenticate.js';
import type { Threads } from '../runtime/threads.js';
import { bodyReading } from './body.js';
import type { Endpoint } from './endpoint.js';
import { serveDocuments } from './documents.js';
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
import { accessEndpoints, meEndpoints } from './routes/access.js';
import { auditEndpoints } from './routes/audit.js';
import { audioEndpoints, speakerEndpoints } from './routes/audios.js';
import { creditEndpoints } from './routes/credits.js';
import { evidenceEndpoints } from './routes/evidence.js';
import { matchRunEndpoints, matchStatusEndpoints } from './routes/match-runs.js';
import { decisionEndpoints, reviewEndpoints } from './routes/review.js';
import { matchingEndpoints } from './routes/matching.js';
import { undoEndpoints } from './routes/undo.js';
import { nameInferenceEndpoints } from './routes/name-inference.js';
import { tagEndpoints, tagRegistryEndpoints } from './routes/tags.js';
import { type RealtimeAddress, realtimeEndpoints } from './routes/realtime.js';
import { videoEndpoints } from './routes/videos.js';
import { serveConsole } from './serve-console.js';
import { serveEndpoint } from './serve-endpoint.js';
import { requestsAtWork } from './requests-at-work.js';
import type { Freshness, Service } from './service.js';

/** What the HTTP interface depends on. */
export interface HttpNeeds {
  readonly app: Application;
  readonly queries: Queries;
  readonly authenticate: Authenticate;
  readonly readiness: Readiness;
  readonly inference: NameInference;
  readonly documents: ProviderDocuments;
  readonly threads: Threads;
  readonly realtime: Realtime;
  /** The address that clients use for the results of realtime sessions. */
  readonly address: RealtimeAddress;
  readonly freshness: Freshness;
  /** Origins whose pages may read answers; `*`: all. */
  readonly cors_allowed_origins: ReadonlyArray<string>;
  /** How many requests of one account are served at the same time. */
  readonly max_requests_per_account: number;
}

/** All endpoints that require an API key. The routes and the OpenAPI document are made from these. */
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
  ...evidenceEndpoints(service, evidenceLists(service.app)),
  ...speakerEndpoints(service),
  ...nameInferenceEndpoints(service, inference),
  ...accessEndpoints(service),
  ...meEndpoints(service),
  ...creditEndpoints(service),
  ...auditEndpoints(service),
];

/** The HTTP interface: an express application. */
export const createApp = (needs: HttpNeeds): RequestListener => {
  const { app, queries, authenticate } = needs;
  const { wrote, upTo, started, revoked } = needs.freshness;
  const service: Service = {
    app,
    queries,
    upToDate: () => upTo(null),
    keyRevoked: (key_id) => revoked.set(key_id, true),
  };
  const server = express();
  server.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  server.use(setRequestId, requireHost, cors(needs.cors_allowed_origins), refuseEmptySegment);
  const open = serveOpen(server, needs);
  const served = endpoints(service, needs);
  const documents = serveDocuments(server, served);
  const serving = {
    authenticate,
    now: app.clock.now,
    log: app.log,
    positionIn: app.store.positionIn,
    atWork: requestsAtWork(needs.max_requests_per_account),
    read: bodyReading(needs.threads),
    keyed: keyedWrites<Refusal>(app, needs.realtime.instance_id),
    keyedDigest: app.keys.digest,
    wrote,
    upTo,
    started,
  };
  for (const endpoint of served) server[endpoint.method](endpoint.path, serveEndpoint(serving, endpoint));
  refuseOtherMethods(server, [...served, ...open, ...documents]);
  serveConsole(server);
  server.use(unknownPath);
  server.use(handleErrors(app.log));
  return server;
};
