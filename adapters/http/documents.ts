import { createHash } from 'node:crypto';
import type { Express, Response } from 'express';
import { packageVersion } from '../runtime/package-files.js';
import { asyncApiDocument } from './description/asyncapi.js';
import { openApiDocument } from './description/openapi.js';
import { recordedEvents, recordedExamples } from './description/recorded-examples.js';
import type { Endpoint } from './endpoint.js';
import { servePages } from './pages.js';
import { sendJson } from './send-json.js';

interface Document {
  readonly json: Uint8Array;
  readonly etag: string;
}

/** Made when it is first asked for, and once. */
const once = (make: () => unknown): (() => Document) => {
  let made: Document | null = null;
  return () => {
    if (made !== null) return made;
    const json = Buffer.from(JSON.stringify(make()));
    made = { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 16)}"` };
    return made;
  };
};

const send = (response: Response, { json, etag }: Document): void => {
  response.set({ ETag: etag, 'Cache-Control': 'no-cache' });
  sendJson(response, 200, null, json);
};

/** Serves the documents that machines read. Answers their places. */
export const serveDocuments = (
  server: Express,
  endpoints: ReadonlyArray<Endpoint>,
): ReadonlyArray<{ readonly path: string; readonly method: 'get' }> => {
  const openApi = once(() => openApiDocument(endpoints, packageVersion(), recordedExamples()));
  const asyncApi = once(() => asyncApiDocument(packageVersion(), recordedEvents()));
  server.get('/openapi.json', (_, response) => send(response, openApi()));
  server.get('/asyncapi.json', (_, response) => send(response, asyncApi()));
  return [
    ...servePages(server),
    ...['/openapi.json', '/asyncapi.json'].map((path) => ({ path, method: 'get' as const })),
  ];
};
