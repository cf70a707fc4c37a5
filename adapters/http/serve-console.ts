import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';

const adapters = fileURLToPath(new URL('../', import.meta.url));
const sources = fileURLToPath(new URL('../../../adapters/console/', import.meta.url));
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

/** What the page is made of. */
interface Assets {
  /**
   * Where its files are: each version has an address of its own. So a browser keeps them for good and asks for none of them
   * a second time, and a new version never meets modules of an old one.
   */
  readonly base: string;
  readonly scripts: ReadonlyArray<string>;
  readonly files: ReadonlyMap<string, string>;
}

const assetsNow = (): Assets => {
  const modules = [...scriptsBelow('console'), ...scriptsBelow('client'), 'runtime/operations.js'];
  const files = new Map([
    ...modules.map((path) => [path, `${adapters}${path}`] as const),
    ...['style.css', 'icon.svg'].map((path) => [path, `${sources}${path}`] as const),
    ...Object.entries(library).map(([name, path]) => [path, resolve(name)] as const),
  ]);
  const hash = createHash('sha256');
  for (const file of files.values()) hash.update(readFileSync(file));
  const version = hash.digest('hex').slice(0, 16);
  return { base: `/console/${version}`, scripts: [...Object.values(library), ...modules], files };
};

const importMapOf = ({ base }: Assets): string =>
  JSON.stringify({
    imports: Object.fromEntries(Object.entries(library).map(([name, path]) => [name, `${base}/${path}`])),
  });

const policyOf = (assets: Assets): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'sha256-${createHash('sha256').update(importMapOf(assets)).digest('base64')}'`,
    // The media of a record lies where its owner said, which is rarely here. Nothing else comes from elsewhere.
    "media-src 'self' http: https: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const headersOf = (assets: Assets) => ({
  'Content-Security-Policy': policyOf(assets),
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

/** All modules are named, so that a browser asks for them at once and not one after the other. */
const pageOf = (assets: Assets): string => {
  const { base, scripts } = assets;
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
<script type="importmap">${importMapOf(assets)}</script>
${preloads.join('\n')}
<script type="module" src="${base}/console/main.js"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
};

/** Serves the console, `/console/`: a page for people, which uses the interface as any other client does. */
export const serveConsole = (server: Express): void => {
  const assets = assetsNow();
  const headers = headersOf(assets);
  const page = pageOf(assets);
  server.use('/console', (_, response, next) => {
    response.set(headers);
    next();
  });
  server.get('/console/', (request, response) => {
    if (!request.originalUrl.startsWith('/console/')) return response.redirect(308, '/console/');
    return response.type('html').send(page);
  });
  server.use(assets.base, ({ method, path }, response, next) => {
    const file = method === 'GET' || method === 'HEAD' ? assets.files.get(path.slice(1)) : undefined;
    if (file === undefined) return next();
    return response.set('Cache-Control', 'public, max-age=31536000, immutable').sendFile(file);
  });
};
