import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { HeldKey, KeyVault } from '../../application/ports/key-vault.js';
import { serverUrl } from '../runtime/connections.js';

interface VaultAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Required of every request. */
  readonly token: string;
}

export interface VaultServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body?: object;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const nameIn = (path: string): string | null => {
  const [, name] = /^\/keys\/([^/?#]+)$/.exec(path) ?? [];
  try {
    return name === undefined ? null : decodeURIComponent(name);
  } catch {
    return null;
  }
};

const answerOf = (held: HeldKey | null): Answer => {
  if (held === null) return { status: 404 };
  return held === 'erased' ? { status: 410 } : { status: 200, body: { key: Buffer.from(held).toString('base64') } };
};

const answered = async (vault: KeyVault, method: string, name: string): Promise<Answer> => {
  if (method === 'DELETE') return E.isRight(await vault.erase(name)()) ? { status: 200 } : { status: 503 };
  if (method !== 'PUT' && method !== 'GET') return { status: 405 };
  const held = await (method === 'PUT' ? vault.make(name) : vault.find(name))();
  return E.isRight(held) ? answerOf(held.right) : { status: 503 };
};

const send = (response: ServerResponse, { status, body = {} }: Answer): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
};

/** Serves a vault over HTTP (docs/erasure.md). Rejects if the port is not available. */
export const serveVault = async (vault: KeyVault, { host, port, token }: VaultAddress): Promise<VaultServer> => {
  const wanted = digest(`Bearer ${token}`);
  const answer = async ({ headers, method = '', url = '' }: IncomingMessage): Promise<Answer> => {
    if (!timingSafeEqual(digest(headers.authorization ?? ''), wanted)) return { status: 401 };
    const name = nameIn(url);
    return name === null ? { status: 404 } : answered(vault, method, name);
  };
  const server = createServer((request, response) => void answer(request).then((given) => send(response, given)));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: serverUrl(server, host, port),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
