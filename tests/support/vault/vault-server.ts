import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from '../local-server.js';

/** How a vault behaves. `keeps_keys`: it destroys no key. */
type VaultMode = 'normal' | 'slow' | 'silent' | 'unreachable' | 'wrong_key' | 'long' | 'keeps_keys';

/** Response time of a slow vault, in ms. */
const slowMs = 1_500;

/** A key vault over HTTP as the documents describe it. */
export interface VaultServer extends LocalServer {
  /** The stored keys by name; `erased` for a destroyed key. */
  readonly keys: Map<string, string>;
  /** Sets how it behaves from now on. */
  readonly setMode: (mode: VaultMode) => void;
}

const answer = (response: ServerResponse, status: number, body: object = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};

/** `token` is required of all requests; null accepts any request. */
export const startVaultServer = async (token: string | null = null): Promise<VaultServer> => {
  const keys = new Map<string, string>();
  let mode: VaultMode = 'normal';
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
  const server = await startLocalServer(({ method, url, headers }, response): void => {
    if (mode === 'silent') return;
    if (mode === 'unreachable') return void response.destroy();
    if (mode === 'wrong_key') return answer(response, 200, { key: 'c2hvcnQ=' });
    if (mode === 'long')
      return answer(response, 200, { key: Buffer.alloc(32).toString('base64'), more: 'x'.repeat(5_000) });
    if (token !== null && headers.authorization !== `Bearer ${token}`) return answer(response, 401);
    const [, name = ''] = /^\/keys\/([^/]+)$/.exec(url) ?? [];
    if (mode === 'keeps_keys' && method === 'DELETE') return answer(response, 500);
    const given = () => serve(method, decodeURIComponent(name), response);
    if (mode === 'slow') setTimeout(given, slowMs);
    else given();
  });
  return { ...server, keys, setMode: (next) => void (mode = next) };
};
