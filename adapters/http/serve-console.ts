import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Express } from 'express';
import { inPackage } from '../runtime/package-files.js';

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

const headers = {
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
    response.set(headers);
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
