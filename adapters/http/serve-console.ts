import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import express, { type Express } from 'express';

const adapters = fileURLToPath(new URL('../', import.meta.url));
const sources = fileURLToPath(new URL('../../../adapters/console/', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** What the page's modules call the library, and where it is served. */
const library = {
  preact: 'library/preact.mjs',
  'preact/hooks': 'library/hooks.mjs',
  'preact/jsx-runtime': 'library/jsx-runtime.mjs',
};
const importMap = JSON.stringify({
  imports: Object.fromEntries(Object.entries(library).map(([name, path]) => [name, `/console/${path}`])),
});

const policy = [
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

const headers = {
  'Content-Security-Policy': policy,
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Served from this machine as a rule; a new version must not meet the modules of the old one.
  'Cache-Control': 'no-cache',
};

const scriptsBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(`${adapters}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => `code/${folder}/${path.replaceAll('\\', '/')}`);

/** All modules are named, so that a browser asks for them at once and not one after the other. */
const page = (): string => {
  const scripts = [...scriptsBelow('console'), ...scriptsBelow('client'), 'code/runtime/operations.js'];
  const preloads = [...Object.values(library), ...scripts].map(
    (path) => `<link rel="modulepreload" href="/console/${path}">`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Media analysis</title>
<link rel="stylesheet" href="/console/style.css">
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<script type="importmap">${importMap}</script>
${preloads.join('\n')}
<script type="module" src="/console/code/console/main.js"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
};

/** Serves the console, `/console/`: a page for people, which uses the interface as any other client does. */
export const serveConsole = (server: Express): void => {
  server.use('/console', (_, response, next) => {
    response.set(headers);
    next();
  });
  server.get('/console/', (request, response) => {
    if (!request.originalUrl.startsWith('/console/')) return response.redirect(308, '/console/');
    return response.type('html').send(page());
  });
  for (const file of ['style.css', 'icon.svg'])
    server.get(`/console/${file}`, (_, response) => response.sendFile(`${sources}${file}`));
  for (const [name, path] of Object.entries(library))
    server.get(`/console/${path}`, (_, response) => response.type('js').sendFile(resolve(name)));
  for (const folder of ['console', 'client'])
    server.use(`/console/code/${folder}`, express.static(`${adapters}${folder}`, { index: false, redirect: false }));
  server.get('/console/code/runtime/operations.js', (_, response) =>
    response.sendFile(`${adapters}runtime/operations.js`),
  );
};
