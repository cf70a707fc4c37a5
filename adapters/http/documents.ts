import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { asyncApiDocument } from './description/asyncapi.js';
import { openApiDocument, recordedEvents, recordedExamples } from './description/openapi.js';
import type { Endpoint } from './endpoint.js';
import { sendJson } from './answer.js';
import { inPackage, packageVersion } from '../runtime/package-files.js';
import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

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

const bundled = fileURLToPath(inPackage('dist/adapters/console/'));
const sources = fileURLToPath(inPackage('adapters/console/'));

/** The files of the console. */
interface Assets {
  /** The path of the files, different for each version: browsers cache them for ever, and never mix versions. */
  readonly base: string;
  /** The modules that the page loads first. */
  readonly scripts: ReadonlyArray<string>;
  /** By path. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** A file: read once, and compressed once when it is first requested. */
interface Asset {
  readonly extension: string;
  readonly plain: Buffer;
  readonly compressed: () => Buffer;
}

const assetOf = (file: string): Asset => {
  const plain = readFileSync(file);
  let made: Buffer | null = null;
  return { extension: extname(file), plain, compressed: () => (made ??= gzipSync(plain, { level: 9 })) };
};

const entry = 'main.js';
const imported = /\b(?:from|import)"\.\/([\w-]+\.js)"/g;

/** A module and its static imports, in order. */
const neededBy = (files: ReadonlyMap<string, Asset>, path: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(path)) return known;
  known.add(path);
  for (const [, name = ''] of files.get(path)?.plain.toString().matchAll(imported) ?? []) neededBy(files, name, known);
  return known;
};

const loadAssets = (): Assets => {
  const scripts = readdirSync(bundled).filter((name) => name.endsWith('.js'));
  const places = [
    ...scripts.map((name) => [name, `${bundled}${name}`] as const),
    ...['style.css', 'icon.svg'].map((name) => [name, `${sources}${name}`] as const),
  ];
  const files = places.map(([name, file]) => [name, assetOf(file)] as const);
  const hash = createHash('sha256');
  for (const [, { plain }] of files) hash.update(plain);
  const base = `/console/${hash.digest('hex').slice(0, 16)}`;
  return {
    base,
    scripts: [...neededBy(new Map(files), entry)],
    files: new Map(files.map(([name, file]) => [`${base}/${name}`, file])),
  };
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
  'Cache-Control': 'no-cache',
};

/** The page preloads its modules, so that a browser requests them at once instead of one after the other. */
const pageOf = ({ base, scripts }: Assets): string => {
  const preloads = scripts.map((path) => `<link rel="modulepreload" href="${base}/${path}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Media analysis</title>
<link rel="stylesheet" href="${base}/style.css">
<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">
${preloads.join('\n')}
<script type="module" src="${base}/${entry}"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
};

const makeSite = () => {
  const assets = loadAssets();
  return { page: pageOf(assets), files: assets.files };
};

/** Serves the console at `/console/`: a web page for people, and a client of the interface like any other. */
export const serveConsole = (server: Express): void => {
  let site: ReturnType<typeof makeSite> | null = null;
  /** Made when it is first requested, not at the start of the service. */
  const made = () => (site ??= makeSite());
  server.use('/console', (_, response, next) => {
    response.set(consoleHeaders);
    next();
  });
  server.get('/console/', (request, response) => {
    if (!request.originalUrl.startsWith('/console/')) return response.redirect(308, '/console/');
    return response.type('html').send(made().page);
  });
  server.use('/console', (request, response, next) => {
    const { method, baseUrl, path } = request;
    const file = method === 'GET' || method === 'HEAD' ? made().files.get(`${baseUrl}${path}`) : undefined;
    if (file === undefined) return next();
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    return response
      .vary('Accept-Encoding')
      .set('Cache-Control', 'public, max-age=31536000, immutable')
      .type(file.extension)
      .send(isCompressed ? file.compressed() : file.plain);
  });
};
