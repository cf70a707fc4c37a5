import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux uses for outgoing connections (32768 to 60999), of which the tests open many. */
const [lowest, count] = [20_000, 12_000];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(port), 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
};

/** A port that nobody listens on, and that no outgoing connection will use. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
  }
};
