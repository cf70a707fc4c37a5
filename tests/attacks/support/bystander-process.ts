import { createServer } from 'node:http';

/* A server that does nothing but answer: how long it takes to answer shows how busy the machine is. */

const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
