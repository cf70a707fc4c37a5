import { Agent, request } from 'node:http';

/** Sends requests over kept connections; returns the status and the time until the answer was complete. */
export const keepAliveClient = (port: number, key: string, connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (method: 'GET' | 'POST', path: string, body = ''): Promise<{ status: number; ms: number; bytes: number }> =>
      new Promise((resolve, reject) => {
        const start = performance.now();
        const headers = { 'X-API-Key': key, 'Content-Length': Buffer.byteLength(body) };
        request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
          let bytes = 0;
          response
            .on('data', (chunk: Buffer) => (bytes += chunk.length))
            .on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - start, bytes }))
            .on('error', reject);
        })
          .on('error', reject)
          .end(body);
      }),
    close: () => agent.destroy(),
  };
};

/** Runs the work for each number below `count`, with a limit of concurrency. */
export const forEachAtOnce = async (
  count: number,
  atOnce: number,
  work: (number: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next;
      next += 1;
      await work(number);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
