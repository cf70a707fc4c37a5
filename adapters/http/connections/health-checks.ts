import type { IncomingMessage, RequestListener } from 'node:http';
import { hasBody, idOfRequest, requestIdHeader } from '../headers.js';
import { healthPath, healthy } from '../open-endpoints.js';
import { jsonType } from '../sending/send-json.js';

const body = JSON.stringify(healthy);
const length = Buffer.byteLength(body);

/** Headers that change the answer. */
const special = ['origin', 'if-none-match'] as const;

const isPlain = (request: IncomingMessage): boolean =>
  request.url === healthPath &&
  request.method === 'GET' &&
  request.headers.host !== undefined &&
  special.every((header) => request.headers[header] === undefined) &&
  !hasBody(request);

/**
 * Answers plain health checks itself, and passes other requests to `listener`. Express takes several times as long as Node
 * for so short an answer, and a health check must be answered while thousands of connections arrive.
 */
export const answerHealthChecks =
  (listener: RequestListener, allowsOrigins: boolean): RequestListener =>
  (request, response) => {
    if (!isPlain(request)) return listener(request, response);
    response.setHeader(requestIdHeader, idOfRequest(request));
    if (allowsOrigins) response.setHeader('Vary', 'Origin');
    response.setHeader('Content-Type', jsonType);
    response.setHeader('Content-Length', length);
    response.end(body);
  };
