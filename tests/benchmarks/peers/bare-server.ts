import { createServer } from 'node:http';

/* The peer of many connections: Node's own HTTP server, which answers every request at once and does nothing else. */

createServer((_, response) => response.end('{"status":"ok"}')).listen({
  port: Number(process.env['PORT']),
  host: '127.0.0.1',
  backlog: 4_096,
});
process.once('SIGTERM', () => process.exit(0));
