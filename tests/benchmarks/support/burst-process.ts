import { connect } from 'node:net';

/* Opens many connections, then sends one request on each of them at the same moment. Runs in a separate process. */

const [port, key, path, size] = process.argv.slice(2);
const body = '{}';
const request = [
  `POST ${path} HTTP/1.1`,
  'Host: 127.0.0.1',
  `X-API-Key: ${key}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  'Connection: close',
  '',
  body,
].join('\r\n');

interface Answered {
  readonly status: number;
  readonly busy: boolean;
  readonly ms: number;
}

const connected = () =>
  new Promise<() => Promise<Answered>>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      resolve(
        () =>
          new Promise((answered) => {
            const start = performance.now();
            let text = '';
            socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
            socket.once('close', () =>
              answered({
                status: Number(text.slice(9, 12)),
                busy: text.includes('"at_capacity"'),
                ms: performance.now() - start,
              }),
            );
            socket.write(request);
          }),
      ),
    );
    socket.once('error', reject);
  });

const clients = await Promise.all(Array.from({ length: Number(size) }, connected));
const answers = await Promise.all(clients.map((ask) => ask()));
const busy = answers.filter(({ status, busy }) => status === 503 && busy).map(({ ms }) => ms);
const created = answers.filter(({ status }) => status === 200).map(({ ms }) => ms);
console.log(
  JSON.stringify({
    created: created.length,
    busy: busy.length,
    slowest_created: Math.max(...created),
    slowest_busy: Math.max(...busy),
  }),
);
