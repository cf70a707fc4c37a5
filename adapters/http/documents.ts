import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { asyncApiDocument } from './description/asyncapi.js';
import { openApiDocument } from './description/openapi.js';
import { recordedEvents, recordedExamples } from './description/operation.js';
import type { Endpoint } from './endpoint.js';
import { sendJson } from './answer.js';
import { inPackage, packageVersion } from '../runtime/package-files.js';

const pages = fileURLToPath(inPackage('adapters/http/pages'));

/** The package that renders the OpenAPI document. */
const renderer = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

/** Pages load only from this service. Swagger UI has its images in its style sheet, as data URLs. */
const headers = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

const links = {
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  docs: '/docs/',
  console: '/console/',
  health: '/healthz',
};

const sendFile = (response: Response, root: string, name: string): void =>
  response.set(headers).sendFile(name, { root, cacheControl: false });

/** Serves `/`, as a page or as JSON links, and the pages of `/docs`. */
const servePages = (server: Express): ReadonlyArray<{ readonly path: string; readonly method: 'get' }> => {
  server.get('/', (request, response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') sendFile(response, pages, 'home.html');
    else sendJson(response, 200, { name: 'media-analysis', version: packageVersion(), links });
  });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    server.get(`/docs/${name}`, (_, response) => sendFile(response, renderer, name));
  server.get('/docs', (_, response) => sendFile(response, pages, 'index.html'));
  server.use('/docs', (_, response, next) => {
    response.set(headers);
    next();
  });
  server.use('/docs', express.static(pages, { cacheControl: false, index: false }));
  return ['/', '/docs'].map((path) => ({ path, method: 'get' as const }));
};

interface Document {
  readonly json: Uint8Array;
  readonly etag: string;
}

/** Makes a document when it is first requested. */
const once = (make: () => unknown): (() => Document) => {
  let made: Document | null = null;
  return () => {
    if (made === null) {
      const json = Buffer.from(JSON.stringify(make()));
      made = { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 16)}"` };
    }
    return made;
  };
};

const send = (response: Response, { json, etag }: Document): void => {
  response.set({ ETag: etag, 'Cache-Control': 'no-cache' });
  sendJson(response, 200, null, json);
};

/** Serves the OpenAPI and AsyncAPI documents and the pages that show them. Returns their paths and methods. */
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
