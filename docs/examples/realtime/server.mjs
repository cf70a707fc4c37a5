/**
 * The small server of the page: it holds the API key, serves the page's files, and fetches sessions for it. The page gets
 * a session's token and talks to the service with that; it never sees the key.
 *
 *   MEDIA_ANALYSIS_API_KEY=… node server.mjs
 *
 * MEDIA_ANALYSIS_URL is the service (http://127.0.0.1:8080), PORT this server's port (3000). The service has to allow the
 * page's origin: CORS_ALLOWED_ORIGINS=http://127.0.0.1:3000. Whoever opens the page spends the account's credits: put your
 * own sign-in before `/session`.
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

/** Asks the service with the key, and hands on its answer with something added; a refusal as it is. */
const handOn = async (response, method, path, added = {}) => {
  const answer = await fetch(service + path, {
    method,
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(20_000),
  });
  const retry = answer.headers.get('Retry-After');
  const body = await answer.json();
  sendJson(
    response,
    answer.status,
    answer.ok ? { ...body, ...added } : body,
    retry === null ? {} : { 'Retry-After': retry },
  );
};

const sendFile = async (response, path) => {
  const [, name, type] = /^\/([a-z]+\.(html|js|css|svg))$/.exec(path === '/' ? '/index.html' : path) ?? [];
  const file = name === undefined ? null : await readFile(new URL(name, import.meta.url)).catch(() => null);
  if (file === null) sendJson(response, 404, { detail: 'Not found' });
  else response.writeHead(200, { ...pageHeaders, 'Content-Type': `${types[type]}; charset=utf-8` }).end(file);
};

/** Browsers name the page that sends a request: another one must not spend credits from here. */
const isOwnPage = ({ headers: { origin, host } }) => origin === `http://${host}` || origin === `https://${host}`;

const serve = async (request, response) => {
  const { pathname } = new URL(request.url, 'http://page');
  const asked = `${request.method} ${pathname}`;
  if (asked === 'GET /price') await handOn(response, 'GET', '/v2/realtime/price');
  else if (asked === 'POST /session' && !isOwnPage(request))
    sendJson(response, 403, { detail: 'Only for the own page' });
  else if (asked === 'POST /session') await handOn(response, 'POST', '/v2/realtime/session', { service_url: service });
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
