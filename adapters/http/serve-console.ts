import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Express } from 'express';
import { inPackage } from '../runtime/package-files.js';

const adapters = fileURLToPath(inPackage('dist/adapters/'));
const sources = fileURLToPath(inPackage('adapters/console/'));
const { resolve } = createRequire(import.meta.url);

const scriptsBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(`${adapters}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);

/** What the page's modules call the library, and where it lies beside them. */
const library = {
  preact: 'library/preact.mjs',
  'preact/hooks': 'library/hooks.mjs',
  'preact/jsx-runtime': 'library/jsx-runtime.mjs',
};

const libraryAt: ReadonlyMap<string, string> = new Map(Object.entries(library));

/** What the page is made of. */
interface Assets {
  /**
   * Where its files are: each version has an address of its own. So a browser keeps them for good and asks for none of them
   * a second time, and a new version never meets modules of an old one.
   */
  readonly base: string;
  /** Those that the first page takes. */
  readonly scripts: ReadonlyArray<string>;
  /** By their addresses. */
  readonly files: ReadonlyMap<string, Asset>;
}

/** A file as it is sent: it is read once, and compressed once when it is first asked for. */
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

const entry = 'console/main.js';
const imported = /^(?:import|export) [^;]*?from ["']([^"']+)["']/gm;

/** A module and all that it cannot begin without, in the order of its imports. */
const neededBy = (files: ReadonlyMap<string, Asset>, path: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(path)) return known;
  known.add(path);
  for (const [, name = ''] of files.get(path)?.plain.toString().matchAll(imported) ?? [])
    neededBy(files, libraryAt.get(name) ?? posix.join(posix.dirname(path), name), known);
  return known;
};

const assetsNow = (): Assets => {
  const modules = [...scriptsBelow('console'), ...scriptsBelow('client'), 'runtime/operations.js'];
  const places = [
    ...modules.map((path) => [path, `${adapters}${path}`] as const),
    ...['style.css', 'icon.svg'].map((path) => [path, `${sources}${path}`] as const),
    ...Object.entries(library).map(([name, path]) => [path, resolve(name)] as const),
  ];
  const files = places.map(([path, file]) => [path, assetOf(file)] as const);
  const hash = createHash('sha256');
  for (const [, { plain }] of files) hash.update(plain);
  const base = `/console/${hash.digest('hex').slice(0, 16)}`;
  return {
    base,
    scripts: [...neededBy(new Map(files), entry)],
    files: new Map(files.map(([path, file]) => [`${base}/${path}`, file])),
  };
};

const importMapOf = ({ base }: Assets): string =>
  JSON.stringify({
    imports: Object.fromEntries(Object.entries(library).map(([name, path]) => [name, `${base}/${path}`])),
  });

const policyOf = (importMap: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMap).digest('base64')}'`,
    // The media of a record lies where its owner said, which is rarely here. Nothing else comes from elsewhere.
    "media-src 'self' http: https: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const headersOf = (importMap: string) => ({
  'Content-Security-Policy': policyOf(importMap),
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

/** What the first page takes is named, so that a browser asks for it at once and not one after the other. */
const pageOf = ({ base, scripts }: Assets, importMap: string): string => {
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
<script type="importmap">${importMap}</script>
${preloads.join('\n')}
<script type="module" src="${base}/${entry}"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
};

const siteNow = () => {
  const assets = assetsNow();
  const importMap = importMapOf(assets);
  return { headers: headersOf(importMap), page: pageOf(assets, importMap), files: assets.files };
};

/** Serves the console, `/console/`: a page for people, which uses the interface as any other client does. */
export const serveConsole = (server: Express): void => {
  let site: ReturnType<typeof siteNow> | null = null;
  /** Made when it is first asked for: a start has nothing to read for it. */
  const made = () => (site ??= siteNow());
  server.use('/console', (_, response, next) => {
    response.set(made().headers);
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
