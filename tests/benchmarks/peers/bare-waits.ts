import { type ServerResponse, createServer } from 'node:http';

/*
 * The peer of requests that wait: node's own server and nothing else. It keeps each GET waiting; a POST ends all of them
 * at once, each with what the POST had for a body.
 */

let waiting: ServerResponse[] = [];

const server = createServer((request, response) => {
  if (request.url === '/readyz') response.end();
  else if (request.method === 'GET') waiting.push(response);
  else {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const ended = waiting;
        waiting = [];
        for (const one of ended) {
          one.setHeader('Content-Type', 'application/json; charset=utf-8');
          one.setHeader('Content-Length', Buffer.byteLength(text));
          one.end(text);
        }
        response.end();
      });
  }
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
