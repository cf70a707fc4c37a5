/**
 * The server of the example page. It holds the API key, serves the page's files and creates sessions for the page. The page
 * receives a session's token and uses it to call the service; it never sees the key.
 *
 *   MEDIA_ANALYSIS_API_KEY=… node server.mjs
 *
 * MEDIA_ANALYSIS_URL is the address of the service, for this server and for the page (default http://127.0.0.1:8080), PORT the port of this server (default
 * 3000). The service must allow the page's origin: CORS_ALLOWED_ORIGINS=http://127.0.0.1:3000. Everybody who opens the page
 * spends the account's credits: protect `/session` with your own authentication.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const service = (process.env['MEDIA_ANALYSIS_URL'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
const key = process.env['MEDIA_ANALYSIS_API_KEY'];
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

const pageHeaders = {
  'Content-Security-Policy': `default-src 'self'; connect-src 'self' ${service} ${service.replace(/^http/, 'ws')}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
  'Permissions-Policy': 'microphone=(self)',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const sendJson = (response, status, body, headers = {}) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers })
    .end(JSON.stringify(body));

/** Calls the service with the API key and forwards its answer. */
const forward = async (response, method, path) => {
  const answer = await fetch(service + path, {
    method,
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(20_000),
  });
  const retry = answer.headers.get('Retry-After');
  sendJson(response, answer.status, await answer.json(), retry === null ? {} : { 'Retry-After': retry });
};

const sendFile = async (response, path) => {
  const [, name, type] = /^\/([a-z]+\.(html|js|css|svg))$/.exec(path === '/' ? '/index.html' : path) ?? [];
  const file = name === undefined ? null : await readFile(new URL(name, import.meta.url)).catch(() => null);
  if (file === null) sendJson(response, 404, { detail: 'Not found' });
  else response.writeHead(200, { ...pageHeaders, 'Content-Type': `${types[type]}; charset=utf-8` }).end(file);
};

/** Browsers send the origin of the page that makes a request. Pages of other origins must not spend credits. */
const isSameOrigin = ({ headers: { origin, host } }) => origin === `http://${host}` || origin === `https://${host}`;

const serve = async (request, response) => {
  const { pathname } = new URL(request.url, 'http://page');
  const route = `${request.method} ${pathname}`;
  if (route === 'GET /price') await forward(response, 'GET', '/v2/realtime/price');
  else if (route === 'POST /session' && !isSameOrigin(request))
    sendJson(response, 403, { detail: 'Only for pages of this server' });
  else if (route === 'POST /session') await forward(response, 'POST', '/v2/realtime/session');
  else if (request.method === 'GET') await sendFile(response, pathname);
  else sendJson(response, 405, { detail: 'Method not allowed' }, { Allow: 'GET' });
};

if (!key) {
  process.stderr.write('Set MEDIA_ANALYSIS_API_KEY to a key of the account that pays for the sessions.\n');
  process.exit(2);
}
const server = createServer((request, response) => {
  serve(request, response).catch(() => {
    if (response.headersSent) response.destroy();
    else sendJson(response, 502, { detail: 'The service cannot be reached.' });
  });
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () =>
  process.stdout.write(`The page is at http://127.0.0.1:${server.address().port}\n`),
);
