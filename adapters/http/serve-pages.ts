import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler } from 'express';
import { asyncApiDocument } from './description/asyncapi.js';
import { openApiDocument, recordedEvents, recordedExamples } from './description/openapi.js';
import type { Endpoint } from './endpoint.js';
import { sendJson } from './answer.js';
import { inPackage, packageVersion } from '../runtime/package-files.js';

const folder = (path: string): string => fileURLToPath(inPackage(path));
const pages = folder('adapters/http/pages/');
/** The console as browsers load it, and its sources, of which some are loaded as they are. */
const [bundled, sources] = [folder('dist/adapters/console/'), folder('adapters/console/')];
/** The package that renders the OpenAPI document. */
const renderer = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

/** Browsers ask each time whether they have the current version. */
const ofAllPages = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** Pages load only from this service. Swagger UI has its images in its style sheet, as data URLs. */
const documentHeaders = {
  ...ofAllPages,
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
};

const consoleHeaders = {
  ...ofAllPages,
  'Content-Security-Policy': [
    "default-src 'self'",
    // The media of a record are usually on another server; nothing else is loaded from other origins.
    "media-src 'self' http: https: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Permissions-Policy': 'microphone=(self)',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const setting =
  (headers: Readonly<Record<string, string>>): RequestHandler =>
  (_, response, next) => {
    response.set(headers);
    next();
  };

const sendFile =
  (root: string, name: string): RequestHandler =>
  (_, response) =>
    response.sendFile(name, { root, cacheControl: false });

const filesIn = (root: string): RequestHandler =>
  express.static(root, { cacheControl: false, index: false, redirect: false });

const links = {
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  docs: '/docs/',
  console: '/console/',
  health: '/healthz',
};

/** Serves `/`, as a page or as JSON links, and the pages of `/docs`. */
const servePages = (server: Express): void => {
  server.get('/', (request, response, next) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html')
      return sendFile(pages, 'home.html')(request, response.set(documentHeaders), next);
    return sendJson(response, 200, { name: 'media-analysis', version: packageVersion(), links });
  });
  server.use('/docs', setting(documentHeaders));
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) server.get(`/docs/${name}`, sendFile(renderer, name));
  server.get('/docs', sendFile(pages, 'index.html'));
  server.use('/docs', filesIn(pages));
};

/** Serves a document, which is made when it is first requested. */
const serveDocument = (server: Express, path: string, make: () => unknown): void => {
  let made: { readonly json: Uint8Array; readonly etag: string } | null = null;
  server.get(path, (_, response) => {
    if (made === null) {
      const json = Buffer.from(JSON.stringify(make()));
      made = { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 16)}"` };
    }
    response.set({ ETag: made.etag, 'Cache-Control': 'no-cache' });
    sendJson(response, 200, null, made.json);
  });
};

/** Serves the OpenAPI and AsyncAPI documents and the pages that show them. Returns their paths and methods. */
export const serveDocuments = (
  server: Express,
  endpoints: ReadonlyArray<Endpoint>,
): ReadonlyArray<{ readonly path: string; readonly method: 'get' }> => {
  serveDocument(server, '/openapi.json', () => openApiDocument(endpoints, packageVersion(), recordedExamples()));
  serveDocument(server, '/asyncapi.json', () => asyncApiDocument(packageVersion(), recordedEvents()));
  servePages(server);
  return ['/', '/docs', '/openapi.json', '/asyncapi.json'].map((path) => ({ path, method: 'get' }));
};

/** Serves the console at `/console/`: a web page for people, and a client of the interface like any other. */
export const serveConsole = (server: Express): void => {
  server.use('/console', setting(consoleHeaders));
  server.get('/console/', (request, response, next) => {
    if (!request.originalUrl.startsWith('/console/')) return response.redirect(308, '/console/');
    return sendFile(pages, 'console.html')(request, response, next);
  });
  for (const name of ['style.css', 'icon.svg']) server.get(`/console/${name}`, sendFile(sources, name));
  server.use('/console', filesIn(bundled));
};
