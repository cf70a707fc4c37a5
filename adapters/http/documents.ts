import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { asyncApiDocument } from './description/asyncapi.js';
import { openApiDocument, recordedEvents, recordedExamples } from './description/openapi.js';
import type { Endpoint } from './endpoint.js';
import { sendJson } from './answer.js';
import { inPackage, packageVersion } from '../runtime/package-files.js';
import { readFileSync } from 'node:fs';

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
const servePages = (server: Express): void => {
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

const bundled = fileURLToPath(inPackage('dist/adapters/console/'));
const sources = fileURLToPath(inPackage('adapters/console/'));

/** Names the version of the console by what it is made of: all other modules have a hash in their names. */
const versionOf = (): string => {
  const hash = createHash('sha256');
  for (const file of [`${bundled}main.js`, `${sources}style.css`, `${sources}icon.svg`])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

const policy = [
  "default-src 'self'",
  // The media of a record are usually on another server; nothing else is loaded from other origins.
  "media-src 'self' http: https: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const consoleHeaders = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const pageOf = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Media analysis</title>
<link rel="stylesheet" href="/console/${version}/style.css">
<link rel="icon" href="/console/${version}/icon.svg" type="image/svg+xml">
<script type="module" src="/console/${version}/main.js"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;

/** Serves the console at `/console/`: a web page for people, and a client of the interface like any other. */
export const serveConsole = (server: Express): void => {
  let known: string | null = null;
  /** Read when it is first requested, not at the start of the service. */
  const version = (): string => (known ??= versionOf());
  server.use('/console', (_, response, next) => {
    response.set(consoleHeaders);
    next();
  });
  server.get('/console/', (request, response) => {
    if (!request.originalUrl.startsWith('/console/')) return response.redirect(308, '/console/');
    return response.type('html').set('Cache-Control', 'no-cache').send(pageOf(version()));
  });
  // The path is different for each version: browsers cache the files for ever, and never mix versions.
  const cached = { immutable: true, maxAge: '1y' };
  const modules = express.static(bundled, { ...cached, index: false, redirect: false });
  server.use('/console/:version', (request, response, next) => {
    if (request.params['version'] !== version()) return next();
    if (request.path !== '/style.css' && request.path !== '/icon.svg') return modules(request, response, next);
    return response.sendFile(request.path, { ...cached, root: sources });
  });
};
