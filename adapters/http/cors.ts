import type { RequestHandler } from 'express';

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
  'X-Request-Id',
].join(', ');
const exposedHeaders = [
  'X-Request-Id',
  'X-Event-Position',
  'ETag',
  'Retry-After',
  'X-Run-Id',
  'X-Model',
  'Idempotency-Replayed',
  'X-Ignored-Parameters',
].join(', ');
const preflight_seconds = 600;

/**
 * Lets pages of other origins read answers, and answers their preflights with 204; `*`: of all origins. Keys travel in
 * headers and cookies are never used, so that no page can act in somebody's name. Without an allowed origin nothing is
 * added to any answer.
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
      'Access-Control-Max-Age': String(preflight_seconds),
    });
    response.statusCode = 204;
    response.end();
  };
