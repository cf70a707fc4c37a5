import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';

/** How a vault behaves: as it should, or not. `keeping`: it destroys no key. */
type Mood = 'right' | 'slow' | 'silent' | 'away' | 'wrong' | 'keeping';

/** How long a slow one takes, in ms. */
const slowness = 1_500;

/** A vault over HTTP as the documents describe it. */
export interface VaultServer {
  readonly url: string;
  /** Of each key what the vault holds; `erased` for one that is gone. */
  readonly keys: Map<string, string>;
  /** How it behaves from now on. */
  readonly become: (mood: Mood) => void;
  readonly close: () => Promise<void>;
}

const answer = (response: ServerResponse, status: number, body: object = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};

/** `token` is what requests have to bring along; null takes all. */
export const startVaultServer = async (token: string | null = null): Promise<VaultServer> => {
  const keys = new Map<string, string>();
  let mood: Mood = 'right';
  const serve = (method: string, name: string, response: ServerResponse): void => {
    const held = keys.get(name);
    if (method === 'DELETE') {
      keys.set(name, 'erased');
      return answer(response, 200);
    }
    if (held === 'erased') return answer(response, 410);
    if (held === undefined && method === 'GET') return answer(response, 404);
    const key = held ?? randomBytes(32).toString('base64');
    keys.set(name, key);
    answer(response, 200, { key });
  };
  const server = createServer((request, response) => {
    if (mood === 'silent') return;
    if (mood === 'away') return void request.socket.destroy();
    if (mood === 'wrong') return answer(response, 200, { key: 'c2hvcnQ=' });
    if (token !== null && request.headers.authorization !== `Bearer ${token}`) return answer(response, 401);
    const [, name = ''] = /^\/keys\/([^/]+)$/.exec(request.url ?? '') ?? [];
    if (mood === 'keeping' && request.method === 'DELETE') return answer(response, 500);
    const given = () => serve(request.method ?? '', decodeURIComponent(name), response);
    if (mood === 'slow') setTimeout(given, slowness);
    else given();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the vault has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    keys,
    become: (next) => {
      mood = next;
      if (next !== 'silent') return;
      server.closeIdleConnections();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
