import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { packageVersion, inPackage } from '../runtime/package-files.js';
import { sendJson } from './send-json.js';

const pages = fileURLToPath(inPackage('adapters/http/pages'));

/** Where the package that renders the OpenAPI document lies. */
const renderer = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));

/** What a page may do: load from this service alone. Swagger UI brings its images with its style sheet, as data. */
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

/** Serves `/`, to people as a page and to programs as links, and the pages of `/docs`. Answers their places. */
export const servePages = (server: Express): ReadonlyArray<{ readonly path: string; readonly method: 'get' }> => {
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
